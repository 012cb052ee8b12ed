import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm } from '../layout/forms';
import { PasskeyForm } from '../second-factor/passkey-form';
import { usePage } from '../layout/page-context';

export interface ConfirmPasswordPageProps {
  /** Undefined if the user has no passkey for this address. */
  readonly passkey: PasskeyPrompt | undefined;
  /** Whether the user has a second factor. */
  readonly withCode: boolean;
  readonly action: string;
  readonly cancel: string;
  /** The submitted fields, which are sent again with the password. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly issues: FormIssues | undefined;
}

export function ConfirmPasswordPage({ passkey, withCode, action, cancel, fields, issues }: ConfirmPasswordPageProps) {
  const { userSession } = usePage();
  return (
    <section class="card narrow">
      <h1>Confirm your password</h1>
      <p>
        Nothing has been changed yet. This step needs your password because you have not entered it in the last 10
        minutes.
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
        {withCode && (
          <Field
            name="confirm_code"
            label="Code"
            autocomplete="one-time-code"
            required
            hint="The six digits that your authenticator app shows, or a recovery code."
          />
        )}
        <FormActions submit="Confirm and continue" cancel={cancel} />
      </PostForm>
    </section>
  );
}
