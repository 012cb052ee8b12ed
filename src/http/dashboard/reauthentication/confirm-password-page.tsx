import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/forms/form-actions';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { PasskeyForm } from '../passkeys/passkey-form';
import { usePage } from '../layout/page-context';

interface ConfirmPasswordPageProps {
  /** What is confirmed, such as `issue an auth code for example.com`; undefined if it has no name. */
  readonly step: string | undefined;
  /** Undefined if the user has no passkey for this address. */
  readonly passkey: PasskeyPrompt | undefined;
  /** Which code the user enters: none without a second factor, only a recovery code without an authenticator app. */
  readonly code: 'none' | 'app' | 'recovery';
  readonly hasPassword: boolean;
  /** Empty if the person has linked none. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  readonly action: string;
  readonly cancel: string;
  /** The form, sealed, for the way to a provider and back; empty if it cannot be kept. */
  readonly savedForm: string;
  /** The submitted fields, which are sent again with the password. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly issues: FormIssues | undefined;
}

const CODE_FIELDS = {
  app: {
    name: 'confirm_code',
    label: 'Code',
    autocomplete: 'one-time-code',
    hint: 'The six digits that your authenticator app shows, or a recovery code.',
  },
  recovery: { name: 'confirm_code', label: 'Recovery code', autocomplete: 'off', hint: 'Each works once.' },
};

export function ConfirmPasswordPage(props: ConfirmPasswordPageProps) {
  const { step, passkey, code, hasPassword, providers, action, cancel, savedForm, fields, issues } = props;
  const { userSession } = usePage();
  return (
    <section class="card narrow">
      <h1>Confirm {hasPassword ? 'your password' : 'that it is you'}</h1>
      {step !== undefined && (
        <p>
          You are about to <strong>{step}</strong>.
        </p>
      )}
      <p>
        {hasPassword
          ? 'Nothing has been changed yet. This step needs your password because you have not entered it in the last 10 minutes.'
          : 'Nothing has been changed yet. This step needs you to prove who you are, because you have not done so in the last 10 minutes.'}
      </p>
      {passkey && (
        <PasskeyForm
          action={action}
          ceremony="use"
          prompt={passkey}
          button="Confirm with a passkey"
          field="confirm_passkey"
          issues={issues?.fields.has('passkey') === true ? issues : undefined}
        >
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
        </PasskeyForm>
      )}
      {providers.map(({ id, name }) => (
        <PostForm key={id} id={id} action={`/settings/providers/${id}/confirm`}>
          <input type="hidden" name="next" value={cancel} />
          <input type="hidden" name="saved_form" value={savedForm} />
          {code !== 'none' && (
            <Field
              {...CODE_FIELDS[code]}
              hint={`${CODE_FIELDS[code].hint} Leave it empty if ${name} asks for a second factor.`}
            />
          )}
          <p>
            <button type="submit">Confirm with {name}</button>
          </p>
        </PostForm>
      ))}
      {providers.length > 0 && (
        <p class="hint">
          {savedForm === ''
            ? 'From there, you come back to the page before and fill in the form again.'
            : 'From there, you come back to your form and send it.'}
        </p>
      )}
      {!hasPassword && (
        <p>
          <a href={cancel}>Cancel</a>
        </p>
      )}
      {hasPassword && (
        <PostForm action={action} issues={issues}>
          {fields.map(([name, value], index) => (
            <input key={index} type="hidden" name={name} value={value} />
          ))}
          <input type="text" autocomplete="username" value={userSession?.user.email} readOnly hidden />
          <Field
            name="confirm_password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            autofocus
          />
          {code !== 'none' && <Field {...CODE_FIELDS[code]} required />}
          <FormActions submit="Confirm and continue" cancel={cancel} />
        </PostForm>
      )}
    </section>
  );
}
