import type { DomainState } from '../../../domain/registration/domain';
import type { FormFaults } from '../form-faults';
import { PostForm, type FormValues } from '../layout/forms';
import { RegistrantFields } from '../registrant/registrant-fields';
import { DomainFrame } from './domain-frame';

export function RegistrantPage({ domain, values, faults }: { readonly domain: DomainState; readonly values: FormValues; readonly faults: FormFaults | undefined }) {
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card">
        <h2>Change the registrant</h2>
        <p>Who holds {domain.name}, as the registry has it.</p>
        <PostForm action={`/domains/${domain.id}/registrant`} values={values} faults={faults}>
          <RegistrantFields />
          <p class="actions">
            <button class="primary" type="submit">
              Change it
            </button>
            <a class="button" href={`/domains/${domain.id}`}>
              Cancel
            </a>
          </p>
        </PostForm>
      </section>
    </DomainFrame>
  );
}
