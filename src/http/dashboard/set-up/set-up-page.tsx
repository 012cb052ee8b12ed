import { PASSWORD_LENGTH } from '../../../domain/access/password';
import type { FormFaults } from '../form-faults';
import { Field, PostForm } from '../layout/forms';

export function SetUpPage({ token, faults }: { readonly token: string; readonly faults: FormFaults | undefined }) {
  return (
    <section class="card narrow door">
      <h1>Choose a password</h1>
      <p>This link works once. You will be signed in right away.</p>
      <PostForm action="/set-up" faults={faults}>
        <input type="hidden" name="token" value={token} />
        <Field name="password" label="Password" type="password" autocomplete="new-password" required autofocus hint={`${PASSWORD_LENGTH}. Several unrelated words are good.`} />
        <button class="primary" type="submit">
          Set the password
        </button>
      </PostForm>
    </section>
  );
}
