import type { AuthCode } from '../../../application/ports/registry/registry-port';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-labels';
import { formatDateTime } from '../layout/dates';
import { Copyable } from '../layout/components';
import { LeavingNotice } from '../dnssec/leaving-notice';
import { DomainLayout } from './domain-layout';

export interface AuthCodePageProps {
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
          Enter it at the new registrar. It is shown only once and works until {formatDateTime(authCode.expiresAt)}.
        </p>
        <LeavingNotice domainId={domain.id} warnings={warnings} />
        <Copyable id="auth-code" text={authCode.code} label="the auth code" />
        {domain.transferLocked && <p>The transfer lock is still on. Turn it off before you start the transfer.</p>}
        <p class="mt-4">
          <a class="button" href={`/domains/${domain.id}`}>
            Done
          </a>
        </p>
      </section>
    </DomainLayout>
  );
}
