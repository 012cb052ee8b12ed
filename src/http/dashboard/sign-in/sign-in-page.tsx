import type { Account } from '../../../domain/access/account';
import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import { buildUrl } from '../build-url';
import { usePage, type PageContext } from '../layout/page-context';
import { assetUrl } from '../assets';
import type { FormIssues } from '../form-issues';
import { Field, Radios } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { MAX_COOKIE_FORM } from '../middleware/saved-forms';
import { PasskeyForm } from '../passkeys/passkey-form';

export interface SignInPageProps {
  readonly values: { readonly next: string; readonly email: string; readonly saved_form?: string };
  /** Why the user has to sign in. */
  readonly reason?: string | undefined;
  readonly issues: FormIssues | undefined;
  /** The accounts to choose from, if e-mail and password match several. */
  readonly accounts: readonly Account[];
  /** Undefined if passkeys cannot be used at this address. */
  readonly passkey?: PasskeyPrompt | undefined;
  /** Whether a link for a forgotten password can be mailed. */
  readonly mailsLinks?: boolean;
}

export function SignInPage({ values, reason, issues, accounts, passkey, mailsLinks = false }: SignInPageProps) {
  const { providers } = usePage();
  // It must not be in one more URL.
  const hasSetUpToken = values.next.startsWith('/set-up?');
  return (
    <section class="card sign-in-card">
      <p class="brand">
        <img src={assetUrl('favicon.svg')} alt="" width="32" height="32" />
        <span>Namewright</span>
      </p>
      <h1>Sign in</h1>
      {reason !== undefined && (
        <div class="alert warning" role="alert">
          <p>{reason}</p>
        </div>
      )}
      <PostForm action="/sign-in" values={values} issues={issues}>
        <input type="hidden" name="next" value={values.next} />
        {values.saved_form !== undefined && values.saved_form !== '' && (
          <input type="hidden" name="saved_form" value={values.saved_form} />
        )}
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
        {accounts.length > 0 && (
          <Radios
            name="account"
            label="Account"
            choices={accounts.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <button class="primary" type="submit">
          Sign in
        </button>
      </PostForm>
      {passkey && (
        <PasskeyForm
          action="/sign-in/passkey"
          ceremony="use"
          prompt={passkey}
          button="Sign in with a passkey"
          issues={issues?.fields.has('passkey') === true ? issues : undefined}
        >
          <input type="hidden" name="next" value={values.next} />
          <input type="hidden" name="saved_form" value={values.saved_form ?? ''} />
        </PasskeyForm>
      )}
      {!hasSetUpToken && providers.map((each) => <ProviderButton key={each.id} provider={each} {...values} />)}
      {mailsLinks ? (
        <p class="hint">
          <a href="/forgot-password">Forgot your password?</a>
        </p>
      ) : (
        <AskForLink />
      )}
    </section>
  );
}

function AskForLink() {
  return (
    <p class="hint">
      Forgot your password? Ask an owner of your account or the operator of this service for a new set-up link.
    </p>
  );
}

/** With a saved form: a separate form, because the saved one is too long for a URL. */
function ProviderButton({
  provider: { id, name },
  next,
  saved_form: savedForm = '',
}: SignInPageProps['values'] & { readonly provider: PageContext['providers'][number] }) {
  const action = `/sign-in/with/${id}`;
  if (savedForm !== '' && savedForm.length <= MAX_COOKIE_FORM)
    return (
      <PostForm action={action} id={id}>
        <input type="hidden" name="saved_form" value={savedForm} />
        <button type="submit">Sign in with {name}</button>
      </PostForm>
    );
  return (
    <p>
      <a class="button" href={buildUrl(action, { next })}>
        Sign in with {name}
      </a>
      {savedForm !== '' && (
        <span class="hint"> Your entries would be lost: they are too long to be kept meanwhile.</span>
      )}
    </p>
  );
}
