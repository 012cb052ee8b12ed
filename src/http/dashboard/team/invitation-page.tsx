import { formatDateTime } from '../layout/dates';
import { Copyable, PageHeading } from '../layout/components';

export function InvitationPage({
  email,
  url,
  expiresAt,
}: {
  readonly email: string;
  readonly url: string;
  readonly expiresAt: Date;
}) {
  return (
    <>
      <PageHeading title="Set-up link" lead={`For ${email}`} />
      <section class="card">
        <p>
          Send this link to {email} over a channel that you trust: it lets its user choose the password. It is shown
          only once and works once, until {formatDateTime(expiresAt)}.
        </p>
        <Copyable id="setup-link" text={url} label="the set-up link" />
        <p class="mt-4">
          <a class="button" href="/team">
            Done
          </a>
        </p>
      </section>
    </>
  );
}
