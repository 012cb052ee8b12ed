import { MAX_TAGS } from '../../../domain/shared/tags';
import type { DomainState } from '../../../domain/registration/domain';
import type { FormIssues } from '../form-issues';
import { Card } from '../layout/components';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { MayDo } from '../layout/may-do';
import { TagList } from './domain-columns';

/** The tags of a domain, and the form that replaces them. */
export function TagsCard({
  domain: { id, tags },
  text = tags.join(', '),
  issues,
}: {
  readonly domain: Pick<DomainState, 'id' | 'tags'>;
  /** The tags as they were typed. */
  readonly text?: string;
  readonly issues?: FormIssues;
}) {
  return (
    <Card title="Tags">
      {tags.length > 0 && (
        <p>
          <TagList tags={tags} />
        </p>
      )}
      <MayDo action="settings" everyDomain>
        <details open={issues !== undefined}>
          <summary>{tags.length > 0 ? 'Change tags' : 'Add tags'}</summary>
          <PostForm action={`/domains/${id}/tags`} id="tags" values={{ tags: text }} issues={issues}>
            <Field name="tags" label="Tags, separated by commas" hint={`At most ${MAX_TAGS}`} />
            <button type="submit">Save tags</button>
          </PostForm>
        </details>
      </MayDo>
    </Card>
  );
}
