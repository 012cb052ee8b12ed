import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../layout/domain/domain-labels';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { RegistrantFields } from './registrant-fields';
import { DomainLayout } from '../layout/domain/domain-layout';

export function RegistrantPage({
  domain,
  values,
  issues,
}: {
  readonly domain: DomainState;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}) {
  return (
    <DomainLayout domain={domain} tab="details" needs="change contacts">
      <section class="card">
        <h2>Change registrant</h2>
        <p>The owner of {displayName(domain.name)}, as recorded at the registry.</p>
        <PostForm action={`/domains/${domain.id}/registrant`} values={values} issues={issues}>
          <RegistrantFields />
          <FormActions submit="Save registrant" cancel={`/domains/${domain.id}`} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
