import type { FormIssues } from '../form-issues';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';

export function ForgotPasswordPage({ email, issues }: { readonly email: string; readonly issues?: FormIssues }) {
  return (
    <section class="card sign-in-card">
      <h1>Forgot your password?</h1>
      <p>Enter the e-mail with which you sign in. You get a mail with a link that sets a new password.</p>
      <PostForm action="/forgot-password" values={{ email }} issues={issues}>
        <Field name="email" label="E-mail" type="email" autocomplete="username" required autofocus />
        <button class="primary" type="submit">
          Send link
        </button>
      </PostForm>
      <p class="hint">
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </section>
  );
}

/** The same for every e-mail, so that strangers do not learn who has a password here. */
export function LinkMailedPage() {
  return (
    <section class="card sign-in-card">
      <h1>Check your mail</h1>
      <p>
        If someone signs in here with this e-mail and a password, a mail with a link is on its way. The link is valid
        for an hour and works once.
      </p>
      <p>No mail after some minutes? Look for it among spam, or ask an owner of your account for a new set-up link.</p>
      <p class="hint">
        <a href="/sign-in">Back to sign-in</a>
      </p>
    </section>
  );
}
