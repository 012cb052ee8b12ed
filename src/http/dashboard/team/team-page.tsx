import { describeUserRights, ROLE_LABELS, ROLES, type Role } from '../../../domain/access/people/role';
import { isOpen, type SetupLink } from '../../../domain/access/people/setup-link';
import type { UserState } from '../../../domain/access/people/user';
import { ToggleSwitch } from '../layout/toggle-switch';
import type { FormIssues } from '../form-issues';
import { formatDateTime, formatShortDate } from '../layout/dates';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { Badge, Card, Cell, Confirm, PageHeading, Row, Table, Time } from '../layout/components';

/** What each role may do. */
const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'Can do everything, manage API keys and users, and let domains leave the account.',
  manager: 'Can register, renew and change domains and DNS records.',
  'dns-editor': 'Can change DNS records.',
  billing: 'Can renew and restore domains.',
  viewer: 'Can see everything and change nothing.',
};
const CHOICES = ROLES.toReversed().map((role) => ({
  value: role,
  label: ROLE_LABELS[role],
  hint: ROLE_DESCRIPTIONS[role],
}));

interface TeamPageProps {
  readonly users: readonly UserState[];
  readonly links: readonly SetupLink[];
  /** The ids of users who sign in with a provider. */
  readonly active: ReadonlySet<string>;
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function TeamPage({ users, links, active, values, issues }: TeamPageProps) {
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
          <p>
            Creates a set-up link for you to pass on. It works once and expires after three days. No e-mail is sent.
          </p>
          <PostForm action="/team" values={values} issues={issues}>
            <Field name="email" label="E-mail" type="email" required autocomplete="off" />
            <Radios name="role" label="Role" choices={CHOICES} />
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
  readonly owner: boolean;
  readonly self: boolean;
}

function UserRow({ user, link, emails, active, owner, self }: UserRowProps) {
  const { id, email, createdAt } = user;
  return (
    <Row>
      <Cell class="main-cell">
        <strong>{email}</strong>
        {self && <span class="small">you</span>}
      </Cell>
      <Cell label="Role">{describeUserRights(user)}</Cell>
      <Cell label="Added">
        <Time at={createdAt}>{formatShortDate(createdAt)}</Time>
      </Cell>
      <Cell label="Status" class="wide">
        {active ? <Badge tone="good">active</Badge> : <Badge tone="warning">invited</Badge>}
        {link && (
          <small class="block">
            set-up link from {describeIssuer(link, emails)}, valid until{' '}
            <Time at={link.expiresAt}>{formatDateTime(link.expiresAt)}</Time>
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
          <Radios name="role" label={`Role of ${email}`} choices={CHOICES} />
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
  return (issuedBy?.kind === 'user' && emails.get(issuedBy.id)) || 'an unknown issuer';
}
