import { Copyable, PageHeading } from '../layout/components';

export function RecoveryCodesPage({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <PageHeading title="Recovery codes" lead="They are shown only once." />
      <section class="card narrow">
        <p>
          Keep these codes where you can reach them without your phone or computer. After your password, each signs you
          in once instead of the authenticator app or a passkey.
        </p>
        <Copyable id="recovery-codes" text={codes.join('\n')} label="the recovery codes" lines />
        <p class="mt-4">
          <a class="button primary" href="/settings/second-factor">
            I have kept them
          </a>
        </p>
      </section>
    </>
  );
}
