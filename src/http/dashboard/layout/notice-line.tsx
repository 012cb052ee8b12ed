import { PostForm } from './forms';
import { usePage } from './page-context';

/** What the last request came to, with a way back where there is one. */
export function NoticeLine() {
  const { notice } = usePage();
  if (!notice) return null;
  return (
    <div class={`notice ${notice.kind}`} role={notice.kind === 'done' ? 'status' : 'alert'}>
      <p>{notice.text}</p>
      {notice.undo && (
        <PostForm action={notice.undo.action}>
          {Object.entries(notice.undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button class="quiet" type="submit">
            Undo
          </button>
        </PostForm>
      )}
    </div>
  );
}
