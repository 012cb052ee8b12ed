import type { TotpOffer } from '../../../application/access/second-factor/totp-enrollment';
import type { FormIssues } from '../form-issues';
import { Copyable, PageHeading } from '../layout/components';
import { FormActions } from '../layout/forms/form-actions';
import { Field } from '../layout/forms/form-controls';
import { PostForm } from '../layout/forms/forms';
import { QrCode } from './qr-code';

interface TotpPageProps {
  readonly offer: TotpOffer;
  readonly issues: FormIssues | undefined;
}

export function TotpPage({ offer: { secret, uri, sealed }, issues }: TotpPageProps) {
  return (
    <>
      <PageHeading title="Authenticator app" lead="Add Namewright to the app, then enter the code that it shows." />
      <section class="card narrow">
        <QrCode text={uri} label="QR code for the authenticator app" />
        <p class="mt-4">Without a camera, type this key into the app:</p>
        <Copyable id="totp-key" text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="the key for the app" />
        <PostForm action="/settings/second-factor/app" class="mt-4" issues={issues}>
          <input type="hidden" name="sealed" value={sealed} />
          <Field
            name="code"
            label="Code"
            autocomplete="one-time-code"
            inputMode="numeric"
            required
            hint="The six digits that the app shows now. Your other sessions end."
          />
          <FormActions submit="Turn on" cancel="/settings/second-factor" />
        </PostForm>
      </section>
    </>
  );
}
