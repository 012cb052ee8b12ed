import { PostForm } from './forms';
import { usePage } from './page-context';

/** The result of the last request, with an Undo button if it can be undone. */
export function FlashMessage() {
  const { flash } = usePage();
  if (!flash) return null;
  return (
    <div class={`alert ${flash.kind}`} role={flash.kind === 'success' ? 'status' : 'alert'} tabIndex={-1} data-notice>
      <p>{flash.text}</p>
      {flash.undo && (
        <PostForm action={flash.undo.action}>
          {Object.entries(flash.undo.fields).map(([name, value]) => (
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
