import type { Factors } from '../../../application/ports/access/authentication';
import type { FormIssues } from '../form-issues';
import { Badge, Card, Confirm, PageHeading, Day } from '../layout/components';
import { PostForm } from '../layout/forms/forms';
import { PasskeyCard } from './passkey-card';

interface SecondFactorsPageProps {
  readonly factors: Factors;
  /** Whether the user's role needs a second factor. */
  readonly required: boolean;
  /** Whether nothing else can be done before one is added. */
  readonly missing: boolean;
  readonly issues: FormIssues | undefined;
}

export function SecondFactorsPage({
  factors: { totp, passkeys, recoveryCodes },
  required,
  missing,
  issues,
}: SecondFactorsPageProps) {
  return (
    <>
      <PageHeading title="Second factor" lead="What you need besides your password to sign in." />
      {missing && (
        <div class="alert warning" role="alert">
          <p>Your role needs a second factor. Add an authenticator app or a passkey to continue.</p>
        </div>
      )}
      {issues?.message !== undefined && (
        <div class="alert warning" role="alert">
          <p>{issues.message}</p>
        </div>
      )}
      <Card
        title="Authenticator app"
        class="narrow"
        aside={totp ? <Badge tone="good">on</Badge> : <Badge tone="plain">off</Badge>}
      >
        {totp ? (
          <>
            <p>
              Added on <Day at={totp.createdAt} />. Sign-in asks for its code.
            </p>
            <p class="actions">
              <a class="button" href="/settings/second-factor/app">
                Replace
              </a>
            </p>
            {(!required || passkeys.length > 0) && (
              <Confirm
                label="Remove"
                about="the authenticator app"
                action="/settings/second-factor/app/remove"
                question={
                  passkeys.length > 0
                    ? 'Sign-in asks for a passkey or a recovery code instead.'
                    : 'Your password alone will be enough to sign in. Your recovery codes are removed, too.'
                }
                button="Remove the app"
              />
            )}
          </>
        ) : (
          <>
            <p>An app such as Aegis, Google Authenticator or 1Password shows a new code every 30 seconds.</p>
            <p class="actions">
              <a class="button primary" href="/settings/second-factor/app">
                Add an app
              </a>
            </p>
          </>
        )}
      </Card>
      <PasskeyCard passkeys={passkeys} removable={!required || totp !== undefined || passkeys.length > 1} />
      {(totp ?? passkeys[0]) && (
        <Card title="Recovery codes" class="narrow">
          <p>
            {recoveryCodes === 0 ? 'You have no recovery codes left.' : `${recoveryCodes} left.`} Each signs you in once
            without another second factor.
          </p>
          <PostForm action="/settings/second-factor/recovery-codes">
            <button type="submit">Create new codes</button>
          </PostForm>
          <p class="hint">The old codes stop working.</p>
        </Card>
      )}
    </>
  );
}
