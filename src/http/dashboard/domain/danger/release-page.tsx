import type { DomainState } from '../../../../domain/registration/domain';
import type { ReleaseWarnings } from '../../../../application/transfers/release-domain';
import { LeavingNotice } from '../../dnssec/leaving-notice';
import { displayName } from '../../layout/domain/domain-labels';
import type { FormIssues } from '../../form-issues';
import { FormActions } from '../../layout/forms/form-actions';
import { Field } from '../../layout/forms/form-controls';
import { PostForm, type FormValues } from '../../layout/forms/forms';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { KeepZoneField } from '../../layout/domain/keep-zone-field';
import { TypedNameField } from './typed-name';

interface ReleasePageProps {
  readonly domain: DomainState;
  /** Undefined if the domain cannot be released; `issues` tell why. */
  readonly warnings: ReleaseWarnings | undefined;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

/** Asks for the tag of the new registrar and for the name. */
export function ReleasePage({ domain, warnings, values, issues }: ReleasePageProps) {
  const path = `/domains/${domain.id}`;
  const name = displayName(domain.name);
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Release {name} to another registrar?</h2>
        {warnings && (
          <>
            <LeavingNotice domainId={domain.id} warnings={warnings.dnssec} />
            <LeavingNotice domainId={domain.id} warnings={warnings.nameservers} next="nameservers" />
            <p>
              The domain leaves this account, at once or when the other registrar accepts it. Only the other registrar
              can give it back.
            </p>
          </>
        )}
        <PostForm action={`${path}/release`} values={values} issues={issues}>
          {warnings && (
            <>
              <Field
                name="registrar_tag"
                label="Tag of the new registrar"
                required
                autocomplete="off"
                maxLength={16}
                hint="Ask the new registrar for it. A wrong tag can hand the domain to a stranger."
              />
              <KeepZoneField domain={domain} />
              <TypedNameField name={domain.name} />
            </>
          )}
          <FormActions submit={warnings && `Release ${name}`} danger cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
