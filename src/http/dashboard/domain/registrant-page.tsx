import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-words';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { PostForm, type FormValues } from '../layout/forms';
import { RegistrantFields } from '../registrant/registrant-fields';
import { DomainFrame } from './domain-frame';

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
    <DomainFrame domain={domain} tab="details">
      <section class="card">
        <h2>Change the registrant</h2>
        <p>Who holds {displayName(domain.name)}, as the registry has it.</p>
        <PostForm action={`/domains/${domain.id}/registrant`} values={values} issues={issues}>
          <RegistrantFields />
          <FormActions submit="Change it" cancel={`/domains/${domain.id}`} />
        </PostForm>
      </section>
    </DomainFrame>
  );
}
