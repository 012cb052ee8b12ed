import type { PasskeyPrompt } from '../../../application/access/second-factor/passkeys';
import type { FormIssues } from '../form-issues';
import { PageHeading } from '../layout/components';
import { Field } from '../layout/forms/form-controls';
import { PasskeyForm } from '../passkeys/passkey-form';

interface NewPasskeyPageProps {
  /** Undefined if passkeys cannot be used at this address. */
  readonly prompt: PasskeyPrompt | undefined;
  readonly name: string;
  readonly issues: FormIssues | undefined;
}

export function NewPasskeyPage({ prompt, name, issues }: NewPasskeyPageProps) {
  return (
    <>
      <PageHeading title="New passkey" lead="The fingerprint, face or PIN of a device, or a security key." />
      <section class="card narrow">
        {prompt ? (
          <>
            <PasskeyForm
              action="/settings/second-factor/passkey"
              ceremony="create"
              prompt={prompt}
              button="Create a passkey"
              values={{ name }}
              issues={issues}
            >
              <Field
                name="name"
                label="Name"
                required
                maxLength={100}
                hint="Such as “work laptop”. Your other sessions end."
              />
            </PasskeyForm>
            <p class="hint">Passkeys need a browser with scripts. Without them, use an authenticator app.</p>
          </>
        ) : (
          <p>
            Passkeys need a host name, which this service does not have. Ask its operator for one, or use an
            authenticator app.
          </p>
        )}
        <p class="mt-4">
          <a class="button" href="/settings/second-factor">
            Cancel
          </a>
        </p>
      </section>
    </>
  );
}
