import type { DomainState } from '../../../../domain/registration/domain';
import { isHosted } from '../../../../domain/registration/domain-status';
import { displayName } from '../../layout/domain/domain-labels';
import type { FormIssues } from '../../form-issues';
import { FormActions } from '../../layout/forms/form-actions';
import { PostForm } from '../../layout/forms/forms';
import { usePage } from '../../layout/page-context';
import { KeepZoneField } from '../../layout/domain/keep-zone-field';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { TypedNameField } from './typed-name';
import { DateTime } from '../../layout/components';

interface DeletePageProps {
  readonly domain: DomainState;
  /** The deadline for a deletion with refund. */
  readonly until: Date;
  readonly issues: FormIssues | undefined;
}

export function DeletePage({ domain, until, issues }: DeletePageProps) {
  const { today } = usePage();
  const path = `/domains/${domain.id}`;
  const isZone = isHosted(domain.status);
  const isPossible = isZone || (domain.status === 'active' && until > today);
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Delete {displayName(domain.name)}?</h2>
        {isZone ? (
          <p>
            The zone is no longer served, and its records are lost. This cannot be undone. If the parent zone delegates
            the name to this service, remove the delegation and the DS records there first.
          </p>
        ) : isPossible ? (
          <p>
            The domain is deleted and its price refunded, which is possible until <DateTime at={until} />. Anyone can
            register the name immediately. This cannot be undone.
          </p>
        ) : (
          <p>
            This domain can no longer be deleted, because that is only possible in the first days after registration.
            Turn off auto-renewal to let it expire.
          </p>
        )}
        <PostForm action={`${path}/delete`} issues={issues}>
          {isPossible && !isZone && <KeepZoneField domain={domain} />}
          {isPossible && <TypedNameField name={domain.name} />}
          <FormActions submit={isPossible ? `Delete ${displayName(domain.name)}` : undefined} danger cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
