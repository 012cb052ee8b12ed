import { PASSWORD_LENGTH } from '../../../domain/access/people/password';
import type { FormIssues } from '../form-issues';
import { Field, PostForm } from '../layout/forms';

export function SetUpPage({ token, issues }: { readonly token: string; readonly issues: FormIssues | undefined }) {
  return (
    <section class="card sign-in-card">
      <h1>Choose a password</h1>
      <p>This link works once. Setting a password signs you in.</p>
      <PostForm action="/set-up" issues={issues}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          required
          autofocus
          hint={`${PASSWORD_LENGTH}. Use several unrelated words.`}
        />
        <button class="primary" type="submit">
          Set password
        </button>
      </PostForm>
    </section>
  );
}

export function InvalidLinkPage() {
  return (
    <section class="card sign-in-card">
      <h1>This link is no longer valid</h1>
      <p>
        The link was used, was replaced by a newer link, or has expired. If you have set a password, sign in. Otherwise
        ask an owner of your account or the operator of this service for a new link.
      </p>
      <p class="actions">
        <a class="button primary" href="/sign-in">
          Go to sign-in
        </a>
      </p>
    </section>
  );
}
