import type { AuthCode } from '../../../../application/ports/registry/registry-port';
import type { DomainState } from '../../../../domain/registration/domain';
import { displayName } from '../../layout/domain/domain-labels';
import { Copyable, DateTime } from '../../layout/components';
import { FormActions } from '../../layout/forms/form-actions';
import { PostForm } from '../../layout/forms/forms';
import type { FormIssues } from '../../form-issues';
import { LeavingNotice } from '../../dnssec/leaving-notice';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { TypedNameField } from './typed-name';

interface AuthCodePageProps {
  readonly domain: DomainState;
  readonly authCode: AuthCode;
  readonly warnings: readonly string[];
}

export function AuthCodePage({ domain, authCode, warnings }: AuthCodePageProps) {
  return (
    <DomainLayout domain={domain} tab="details">
      <section class="card narrow">
        <h2>Auth code for {displayName(domain.name)}</h2>
        <p>
          Enter it at the new registrar. It is shown only once and works until <DateTime at={authCode.expiresAt} />.
        </p>
        <LeavingNotice domainId={domain.id} warnings={warnings} />
        <Copyable id="auth-code" text={authCode.code} label="the auth code" />
        {domain.transferLocked && <p>The transfer lock is still on. Turn it off before you start the transfer.</p>}
        <p class="mt-4">
          <a class="button" href={`/domains/${domain.id}/transfer-out`}>
            Follow the transfer
          </a>{' '}
          <a class="button quiet" href={`/domains/${domain.id}`}>
            Done
          </a>
        </p>
      </section>
    </DomainLayout>
  );
}

interface AuthCodeFormPageProps {
  readonly domain: DomainState;
  readonly issues: FormIssues | undefined;
}

/** Asks for the name before an auth code is issued. */
export function AuthCodeFormPage({ domain, issues }: AuthCodeFormPageProps) {
  const path = `/domains/${domain.id}`;
  return (
    <DomainLayout domain={domain} tab="details" needs="issue an auth code">
      <section class="card narrow">
        <h2>Get an auth code for {displayName(domain.name)}?</h2>
        <p>Anyone with the code can transfer the domain to another registrar. Earlier codes stop working.</p>
        <PostForm action={`${path}/auth-code`} issues={issues}>
          <TypedNameField name={domain.name} />
          <FormActions submit="Issue an auth code" danger cancel={path} />
        </PostForm>
      </section>
    </DomainLayout>
  );
}
