import type { Account } from '../../../domain/access/account';
import { assetUrl } from '../assets';
import type { FormIssues } from '../form-issues';
import { Field, PostForm, Radios } from '../layout/forms';

export interface SignInPageProps {
  readonly values: { readonly next: string; readonly email: string; readonly kept?: string };
  /** Why it is asked for. */
  readonly reason?: string;
  readonly issues: FormIssues | undefined;
  /** The accounts that e-mail and password open, if there are several. */
  readonly choices: readonly Account[];
}

export function SignInPage({ values, reason, issues, choices }: SignInPageProps) {
  return (
    <section class="card narrow door">
      <p class="brand">
        <img src={assetUrl('favicon.svg')} alt="" width="32" height="32" />
        <span>Namewright</span>
      </p>
      <h1>Sign in</h1>
      {reason !== undefined && (
        <div class="notice warning" role="alert">
          <p>{reason}</p>
        </div>
      )}
      <PostForm action="/sign-in" values={values} issues={issues}>
        <input type="hidden" name="next" value={values.next} />
        {values.kept !== undefined && values.kept !== '' && <input type="hidden" name="kept" value={values.kept} />}
        <Field
          name="email"
          label="E-mail"
          type="email"
          autocomplete="username"
          required
          autofocus={values.email === ''}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={values.email !== ''}
        />
        {choices.length > 0 && (
          <Radios
            name="account"
            label="Account"
            choices={choices.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <button class="primary" type="submit">
          Sign in
        </button>
      </PostForm>
      <p class="hint">
        Lost your password? An owner of your account can make you a new set-up link, and so can the operator of this
        service.
      </p>
    </section>
  );
}
