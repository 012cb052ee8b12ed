import type { DomainState } from '../../../../domain/registration/domain';
import { displayName } from '../../layout/domain/domain-labels';
import type { FormIssues } from '../../form-issues';
import { formatDateTime } from '../../layout/dates';
import { FormActions } from '../../layout/form-actions';
import { PostForm } from '../../layout/forms';
import { usePage } from '../../layout/page-context';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { TypedNameField } from './typed-name';

interface DeletePageProps {
  readonly domain: DomainState;
  /** The deadline for a deletion with refund. */
  readonly until: Date;
  readonly issues: FormIssues | undefined;
}

export function DeletePage({ domain, until, issues }: DeletePageProps) {
  const { today } = usePage();
  const path = `/domains/${domain.id}`;
  const isPossible = domain.status === 'active' && until > today;
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Delete {displayName(domain.name)}?</h2>
        {isPossible ? (
          <p>
            The domain is deleted and its price refunded, which is possible until {formatDateTime(until)}. Anyone can
            register the name immediately, and its DNS records are no longer served. This cannot be undone.
          </p>
        ) : (
          <p>
            This domain can no longer be deleted, because that is only possible in the first days after registration.
            Turn off auto-renewal to let it expire.
          </p>
        )}
        <PostForm action={`${path}/delete`} issues={issues}>
          {isPossible && <TypedNameField name={domain.name} />}
          <FormActions submit={isPossible ? `Delete ${displayName(domain.name)}` : undefined} danger cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
