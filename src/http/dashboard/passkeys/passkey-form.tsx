import type { ComponentChildren } from 'preact';
import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import { assetUrl } from '../assets';
import type { FormIssues } from '../form-issues';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { CHALLENGE_SUFFIX } from './passkey-prompts';

interface PasskeyFormProps {
  readonly action: string;
  /** What the browser does: create a passkey or use one. */
  readonly ceremony: 'create' | 'use';
  readonly prompt: PasskeyPrompt;
  readonly button: string;
  /** Name of the hidden field with the response. */
  readonly field?: string;
  readonly values?: FormValues;
  readonly issues?: FormIssues | undefined;
  readonly children?: ComponentChildren;
}

/** A form that runs a passkey ceremony before it is sent. Passkeys need scripts: without them, it is hidden. */
export function PasskeyForm({
  action,
  ceremony,
  prompt,
  button,
  field = 'passkey',
  values,
  issues,
  children,
}: PasskeyFormProps) {
  const error = issues?.fields.get('passkey');
  return (
    <div hidden={error === undefined} data-passkey-part>
      <PostForm action={action} id={field} values={values} issues={issues}>
        <input type="hidden" name={`${field}${CHALLENGE_SUFFIX}`} value={prompt.sealed} />
        <input
          type="hidden"
          name={field}
          value=""
          data-passkey={ceremony}
          data-options={JSON.stringify(prompt.options)}
        />
        {error !== undefined && (
          <div class="alert warning" role="alert">
            <p>The passkey {error.charAt(0).toLowerCase() + error.slice(1)}.</p>
          </div>
        )}
        {children}
        <p
          class="field-error"
          role="alert"
          tabIndex={-1}
          data-passkey-error
          data-known="This device has one of your passkeys already."
          data-failed={`The browser did not ${ceremony} a passkey. Try again${ceremony === 'use' ? ', or choose another way' : ''}.`}
          hidden
        />
        <button type="submit">{button}</button>
      </PostForm>
      <script src={assetUrl('passkeys.js')} defer />
    </div>
  );
}
