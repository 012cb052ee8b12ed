import type { AuthCode } from '../../../application/ports/registry/registry-port';
import { TRANSFER_DECISIONS, type TransferDecision } from '../../../application/ports/registry/registry-sandbox';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { FormIssues } from '../form-issues';
import { Card, Copyable, DateTime, PageHeading } from '../layout/components';
import { Field, Select } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';

const DECISIONS: Readonly<Record<TransferDecision, string>> = {
  approve: 'approves the transfer to you',
  reject: 'rejects the transfer to you',
  cancel: 'cancels its transfer from you',
};
const CHOICES = TRANSFER_DECISIONS.map((value) => ({ value, label: DECISIONS[value] }));

export interface OtherRegistrarPageProps {
  /** Whether the account may decide transfers, which can be those of other accounts. */
  readonly controls: boolean;
  /** A name that was just registered at the other registrar. */
  readonly registered?: { readonly name: DomainName; readonly authCode: AuthCode } | undefined;
  readonly form?:
    { readonly name: 'register' | 'decide'; readonly values: FormValues; readonly issues: FormIssues } | undefined;
}

export function OtherRegistrarPage({ controls, registered, form }: OtherRegistrarPageProps) {
  const propsOf = (name: 'register' | 'decide') =>
    form?.name === name ? { values: form.values, issues: form.issues } : {};
  return (
    <>
      <PageHeading
        title="Other registrar"
        lead="Another registrar at the simulated registry, to transfer domains from and to."
      />
      {registered && (
        <Card title={`Auth code for ${registered.name.value}`}>
          <p>
            The other registrar holds the domain. Transfer it to this service with the auth code, which is shown only
            once and works until <DateTime at={registered.authCode.expiresAt} />.
          </p>
          <Copyable id="auth-code" text={registered.authCode.code} label="the auth code" />
        </Card>
      )}
      <div class="columns">
        <Card title="Register a domain there">
          <p>Registers a domain at the other registrar and shows the auth code for its transfer to you.</p>
          <PostForm action="/sandbox/other-registrar/domains" id="register" {...propsOf('register')}>
            <Field name="name" label="Domain" required />
            <button class="primary" type="submit">
              Register domain
            </button>
          </PostForm>
        </Card>
        {controls && (
          <Card title="Decide a transfer">
            <p>If no one decides, a transfer completes at the end of the transfer period of the TLD.</p>
            <PostForm action="/sandbox/other-registrar/decisions" id="decide" {...propsOf('decide')}>
              <Field name="name" label="Domain" required />
              <Select name="decision" label="The other registrar" choices={CHOICES} />
              <button type="submit">Decide transfer</button>
            </PostForm>
          </Card>
        )}
      </div>
    </>
  );
}
