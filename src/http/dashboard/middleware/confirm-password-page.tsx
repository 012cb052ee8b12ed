import type { FormIssues } from '../form-issues';
import { FormActions } from '../layout/form-actions';
import { Field, PostForm } from '../layout/forms';
import { usePage } from '../layout/page-context';

export interface ConfirmPasswordPageProps {
  readonly action: string;
  readonly cancel: string;
  /** What was sent, to be sent again with the password. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly issues: FormIssues | undefined;
}

export function ConfirmPasswordPage({ action, cancel, fields, issues }: ConfirmPasswordPageProps) {
  const { visitor } = usePage();
  return (
    <section class="card narrow">
      <h1>Confirm your password</h1>
      <p>
        This step needs your password if you have not entered it in the last 10 minutes. Nothing has been changed yet.
      </p>
      <PostForm action={action} issues={issues}>
        {fields.map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <input type="text" autocomplete="username" value={visitor?.user.email} readOnly hidden />
        <Field
          name="confirm_password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          autofocus
        />
        <FormActions submit="Confirm and continue" cancel={cancel} />
      </PostForm>
    </section>
  );
}
