import type { AuthCode } from '../../../application/ports/registry/registry-port';
import type { DomainState } from '../../../domain/registration/domain';
import { displayName } from '../domains/domain-words';
import { dateAndTime } from '../layout/dates';
import { Copyable } from '../layout/parts';
import { DomainFrame } from './domain-frame';

export function AuthCodePage({ domain, authCode }: { readonly domain: DomainState; readonly authCode: AuthCode }) {
  return (
    <DomainFrame domain={domain} tab="details">
      <section class="card narrow">
        <h2>Auth code for {displayName(domain.name)}</h2>
        <p>Give it to the new registrar. It is shown only now, and works until {dateAndTime(authCode.expiresAt)}.</p>
        <Copyable id="auth-code" text={authCode.code} label="the auth code" />
        {domain.transferLocked && (
          <p>The domain is still locked against transfers. Switch the lock off before you begin one.</p>
        )}
        <p class="after">
          <a class="button" href={`/domains/${domain.id}`}>
            Done
          </a>
        </p>
      </section>
    </DomainFrame>
  );
}
