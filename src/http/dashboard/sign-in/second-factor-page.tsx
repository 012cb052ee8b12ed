import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import type { FormIssues } from '../form-issues';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { PasskeyForm } from '../passkeys/passkey-form';

interface SecondFactorPageProps {
  readonly ticket: string;
  /** Whether the user has an authenticator app. */
  readonly hasApp: boolean;
  /** Undefined if the user has no passkey for this address. */
  readonly passkey: PasskeyPrompt | undefined;
  readonly issues: FormIssues | undefined;
}

export function SecondFactorPage({ ticket, hasApp, passkey, issues }: SecondFactorPageProps) {
  return (
    <section class="card sign-in-card">
      <h1>Second factor</h1>
      <p>One more step before you are signed in.</p>
      {passkey && (
        <PasskeyForm
          action="/sign-in/second-factor"
          ceremony="use"
          prompt={passkey}
          button="Use a passkey"
          issues={issues?.fields.has('passkey') === true ? issues : undefined}
        >
          <input type="hidden" name="ticket" value={ticket} />
        </PasskeyForm>
      )}
      <PostForm action="/sign-in/second-factor" issues={issues}>
        <input type="hidden" name="ticket" value={ticket} />
        <Field
          name="code"
          label={hasApp ? 'Code' : 'Recovery code'}
          autocomplete="one-time-code"
          required
          autofocus={!passkey}
          hint={
            hasApp
              ? 'The six digits that your authenticator app shows now. Without the app, enter a recovery code.'
              : 'Each works once.'
          }
        />
        <p class="actions">
          <button class="primary" type="submit">
            Sign in
          </button>
          <a class="button" href="/sign-in">
            Cancel
          </a>
        </p>
      </PostForm>
      <p class="hint">Lost both? Ask the operator of this service to remove your second factor.</p>
    </section>
  );
}
