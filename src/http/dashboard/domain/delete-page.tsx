import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { dateAndTime } from '../layout/dates';
import { FormActions } from '../layout/form-actions';
import { PostForm } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { DomainFrame } from './domain-frame';

export interface DeletePageProps {
  readonly domain: DomainState;
  /** Later it cannot be given back. */
  readonly until: Date;
  readonly issues: FormIssues | undefined;
}

export function DeletePage({ domain, until, issues }: DeletePageProps) {
  const { today } = usePage();
  const path = `/domains/${domain.id}`;
  const possible = domain.status === 'active' && until > today;
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card narrow">
        <h2>Delete {displayName(domain.name)}?</h2>
        {possible ? (
          <p>
            The registration is given back and refunded, as is possible until {dateAndTime(until)}. The name is free for
            anybody at once, and its records are not served any more. This cannot be undone.
          </p>
        ) : (
          <p>
            A domain can be given back during the first days after its registration only. Switch its auto-renewal off
            instead, and it ends when it expires.
          </p>
        )}
        <PostForm action={`${path}/delete`} issues={issues}>
          <FormActions submit={possible ? `Delete ${displayName(domain.name)}` : undefined} danger cancel={path} />
        </PostForm>
      </section>
    </DomainFrame>
  );
}
