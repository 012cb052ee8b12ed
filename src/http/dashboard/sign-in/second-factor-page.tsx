import type { FormIssues } from '../form-issues';
import { Field, PostForm } from '../layout/forms';

export interface SecondFactorPageProps {
  readonly ticket: string;
  readonly issues: FormIssues | undefined;
}

export function SecondFactorPage({ ticket, issues }: SecondFactorPageProps) {
  return (
    <section class="card sign-in-card">
      <h1>Second factor</h1>
      <p>Your password is right. Enter the code that your authenticator app shows now.</p>
      <PostForm action="/sign-in/second-factor" issues={issues}>
        <input type="hidden" name="ticket" value={ticket} />
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          required
          autofocus
          hint="Six digits. Without the app, enter one of your recovery codes, which works once."
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
