import type { NoticeSettings } from '../../../application/notices/notice-settings';
import type { Mail } from '../../../domain/access/notices/mail';
import { describeUserRights } from '../../../domain/access/people/role';
import { isOpen, type SetupLink } from '../../../domain/access/people/setup-link';
import type { UserState } from '../../../domain/access/people/user';
import { ToggleSwitch } from '../layout/forms/toggle-switch';
import type { FormIssues } from '../form-issues';
import { Field, Radios } from '../layout/forms/form-controls';
import { PostForm, type FormValues } from '../layout/forms/forms';
import { usePage } from '../layout/page-context';
import { ROLE_CHOICES } from './role-choices';
import { Badge, Card, Cell, Confirm, DateTime, Day, PageHeading, Row, Table } from '../layout/components';

const LINK_DELIVERY: Readonly<Record<NoticeSettings['delivery'], string>> = {
  smtp: 'It is sent to the address, and shown to you.',
  outbox: 'It is shown to you, and its mail is kept in the outbox of the sandbox.',
  off: 'Pass it on yourself: no e-mail is sent.',
};

interface TeamPageProps {
  readonly users: readonly UserState[];
  readonly links: readonly SetupLink[];
  /** The ids of users who sign in with a provider. */
  readonly active: ReadonlySet<string>;
  /** To owners: the last mails to users that were not delivered. */
  readonly undelivered: readonly Mail[];
  readonly delivery: NoticeSettings['delivery'];
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function TeamPage({ users, links, active, undelivered, delivery, values, issues }: TeamPageProps) {
  const { userSession, now, providers } = usePage();
  const byGroups = providers.find(({ groupsAccount }) => groupsAccount === userSession?.accountId);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const openLinks = new Map(links.filter((link) => isOpen(link, now)).map((link) => [link.userId, link]));
  const owner = userSession?.user.role === 'owner';
  const tags = userSession?.user.tags;
  return (
    <>
      <PageHeading
        title="Team"
        lead={`Users who can sign in to ${userSession?.account.name ?? 'this account'}${tags ? ' and have all domains or some of yours' : ''}.`}
      />
      {byGroups && (
        <p>
          Users who sign in with {byGroups.name} get their role, and the tags that limit it, from their groups there, at
          each sign-in. What is changed here lasts until then.
        </p>
      )}
      <section class="card flush">
        <Table
          caption="Users of the account"
          columns={[
            'E-mail',
            'Role',
            'Added',
            'Status',
            ...(owner ? [<span class="visually-hidden">Actions</span>] : []),
          ]}
        >
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={{ ...user, tags: user.tags?.filter((tag) => !tags || tags.includes(tag)) ?? null }}
              link={openLinks.get(user.id)}
              emails={emails}
              active={active.has(user.id)}
              undelivered={undelivered.find(({ userId }) => userId === user.id)}
              owner={owner}
              self={user.id === userSession?.user.id}
            />
          ))}
        </Table>
      </section>
      {owner && (
        <Card title="Permissions of managers" class="narrow">
          <ToggleSwitch
            on={userSession?.account.membersMayTransfer ?? false}
            action="/team/members-may-transfer"
            label="Managers can transfer domains"
            description={
              userSession?.account.membersMayTransfer
                ? 'Managers can unlock domains, get auth codes and delete domains.'
                : 'Only owners can unlock domains, get auth codes and delete domains.'
            }
          />
        </Card>
      )}
      {owner && (
        <Card title="Invite a user" class="narrow">
          <p>Creates a set-up link, which works once and expires after three days. {LINK_DELIVERY[delivery]}</p>
          <PostForm action="/team" values={values} issues={issues}>
            <Field name="email" label="E-mail" type="email" required autocomplete="off" />
            <Radios name="role" label="Role" choices={ROLE_CHOICES} />
            <Field
              name="domains"
              label="Only for these domains (optional)"
              maxLength={2_000}
              hint="Names such as example.com example.net, twenty at most. The next page says what that grants."
            />
            <TagsField />
            <button class="primary" type="submit">
              Create set-up link
            </button>
          </PostForm>
        </Card>
      )}
    </>
  );
}

interface UserRowProps {
  readonly user: UserState;
  /** The valid set-up link for the user. */
  readonly link: SetupLink | undefined;
  /** E-mails of the account's users, by id. */
  readonly emails: ReadonlyMap<string, string>;
  readonly active: boolean;
  readonly undelivered: Mail | undefined;
  readonly owner: boolean;
  readonly self: boolean;
}

function UserRow({ user, link, emails, active, undelivered, owner, self }: UserRowProps) {
  const { id, email, createdAt } = user;
  return (
    <Row id={id}>
      <Cell class="main-cell">
        <strong>{email}</strong>
        {self && <span class="small">you</span>}
      </Cell>
      <Cell label="Role">{describeUserRights(user)}</Cell>
      <Cell label="Added">
        <Day at={createdAt} />
      </Cell>
      <Cell label="Status" class="wide">
        {active ? <Badge tone="good">active</Badge> : <Badge tone="warning">invited</Badge>}
        {link && (
          <small class="block">
            set-up link from {describeIssuer(link, emails)}, valid until <DateTime at={link.expiresAt} />
          </small>
        )}
        {undelivered && (
          <small class="block">
            mail was not delivered on <DateTime at={undelivered.endedAt ?? undelivered.at} />: {undelivered.response}
          </small>
        )}
      </Cell>
      {owner && (
        <Cell class="row-actions wrap">
          <PostForm action={`/team/${id}/link`}>
            <button class="quiet" type="submit">
              New link<span class="visually-hidden"> for {email}</span>
            </button>
          </PostForm>
          {link && (
            <Confirm
              label="Revoke link"
              about={`for ${email}`}
              action={`/team/${id}/link/revoke`}
              button="Revoke this link"
              question={`The set-up link for ${email} will stop working immediately.`}
            />
          )}
          <RoleForm user={user} />
          {!self && (
            <a class="button quiet danger" href={`/team/${id}/remove`}>
              Remove<span class="visually-hidden"> {email}</span>
            </a>
          )}
        </Cell>
      )}
    </Row>
  );
}

function RoleForm({ user: { id, email, role, tags } }: Pick<UserRowProps, 'user'>) {
  return (
    <details class="confirm">
      <summary>
        Change role<span class="visually-hidden"> of {email}</span>
      </summary>
      <div class="confirm-body">
        <p>Set-up links for and from {email} are revoked.</p>
        <PostForm action={`/team/${id}/role`} id={`role-${id}`} values={{ role, tags: tags?.join(', ') ?? '' }}>
          <Radios name="role" label={`Role of ${email}`} choices={ROLE_CHOICES} />
          <TagsField />
          <button class="primary" type="submit">
            Change role
          </button>
        </PostForm>
      </div>
    </details>
  );
}

/** Restricts a role to domains with some tags. */
function TagsField() {
  return (
    <Field
      name="tags"
      label="Only for domains with one of these tags (optional)"
      hint="Separated by commas. Such users see no other domain, and cannot register, transfer or delete domains or change tags."
    />
  );
}

function describeIssuer({ issuedBy }: SetupLink, emails: ReadonlyMap<string, string>): string {
  if (issuedBy?.kind === 'operator') return 'the operator';
  if (issuedBy?.kind === 'service') return 'themselves, by mail';
  return (issuedBy?.kind === 'user' && emails.get(issuedBy.id)) || 'an unknown issuer';
}
