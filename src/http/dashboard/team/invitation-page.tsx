import { dateAndTime } from '../layout/dates';
import { Copyable, PageHeading } from '../layout/parts';

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
          TestControl it over by a way that you trust: whoever opens it chooses the password. It is shown only now, and
          works once, until {dateAndTime(expiresAt)}.
        </p>
        <Copyable id="setup-link" text={url} label="the set-up link" />
        <p class="after">
          <a class="button" href="/team">
            Done
          </a>
        </p>
      </section>
    </>
  );
}
