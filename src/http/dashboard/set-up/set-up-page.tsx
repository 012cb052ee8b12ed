import { PASSWORD_LENGTH } from '../../../domain/access/password';
import type { FormIssues } from '../form-issues';
import { Field, PostForm } from '../layout/forms';

export function SetUpPage({ token, issues }: { readonly token: string; readonly issues: FormIssues | undefined }) {
  return (
    <section class="card narrow door">
      <h1>Choose a password</h1>
      <p>This link works once. You will be signed in right away.</p>
      <PostForm action="/set-up" issues={issues}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          required
          autofocus
          hint={`${PASSWORD_LENGTH}. Several unrelated words are good.`}
        />
        <button class="primary" type="submit">
          Set the password
        </button>
      </PostForm>
    </section>
  );
}

export function InvalidLinkPage() {
  return (
    <section class="card narrow door">
      <h1>This link does not work any more</h1>
      <p>
        It was used, was replaced by a newer one, or has expired. If you have set a password, sign in with it. Ask an
        owner of your account for a new one, or the operator of this service, if you have not.
      </p>
      <p class="actions">
        <a class="button primary" href="/sign-in">
          Go to sign-in
        </a>
      </p>
    </section>
  );
}
