import { describeUserRights, type UserRights } from '../../../domain/access/people/role';
import { Copyable, DateTime, PageHeading } from '../layout/components';

export function InvitationPage({
  email,
  url,
  isMailed,
  expiresAt,
  rights,
  granted,
}: {
  readonly email: string;
  readonly url: string;
  readonly isMailed: boolean;
  readonly expiresAt: Date;
  readonly rights: UserRights;
  /** How many domains the tags of the role are for: `3 domains now`. Undefined: all domains. */
  readonly granted: string | undefined;
}) {
  return (
    <>
      <PageHeading title="Set-up link" lead={`For ${email}`} />
      <section class="card">
        <p>
          {isMailed
            ? `This link is on its way to ${email}. If no mail comes, send it over a channel that you trust`
            : `Send this link to ${email} over a channel that you trust`}
          : it lets its user choose the password. It is shown only once and works once, until{' '}
          <DateTime at={expiresAt} />.
        </p>
        <p>
          Role: {describeUserRights(rights)}
          {granted !== undefined && `, ${granted}`}.
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
