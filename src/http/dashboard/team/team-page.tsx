import { ROLES, type Role } from '../../../domain/access/role';
import { isOpen, type SetupLink } from '../../../domain/access/setup-link';
import type { UserState } from '../../../domain/access/user';
import { Switch } from '../domain/switch';
import type { FormIssues } from '../form-issues';
import { dateAndTime, shortDate } from '../layout/dates';
import { Field, PostForm, Radios, type FormValues } from '../layout/forms';
import { usePage } from '../layout/page-context';
import { Badge, Card, Cell, Confirm, PageHeading, Row, Table, Time } from '../layout/parts';

/** One sentence on what each role may do. */
const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Also manages API keys and people.',
  member: 'Works with domains and records: registers, renews, changes.',
};
const CHOICES = ROLES.toReversed().map((role) => ({ value: role, label: role, hint: ROLE_WORDS[role] }));

export interface TeamPageProps {
  readonly users: readonly UserState[];
  readonly links: readonly SetupLink[];
  readonly values: FormValues;
  readonly issues: FormIssues | undefined;
}

export function TeamPage({ users, links, values, issues }: TeamPageProps) {
  const { visitor, now } = usePage();
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const openLinks = new Map(links.filter((link) => isOpen(link, now)).map((link) => [link.userId, link]));
  const owner = visitor?.user.role === 'owner';
  return (
    <>
      <PageHeading title="Team" lead={`Who may sign in to ${visitor?.account.name ?? ''}.`} />
      <section class="card flush">
        <Table
          caption="People of the account"
          columns={['E-mail', 'Role', 'Since', 'State', ...(owner ? [<span class="unseen">Actions</span>] : [])]}
        >
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              link={openLinks.get(user.id)}
              emails={emails}
              owner={owner}
              self={user.id === visitor?.user.id}
            />
          ))}
        </Table>
      </section>
      {owner && (
        <Card title="What members may do" class="narrow">
          <Switch
            on={visitor?.account.membersMayTransfer ?? false}
            action="/team/members-may-transfer"
            label="Members may transfer domains"
            words={
              visitor?.account.membersMayTransfer
                ? 'Members unlock domains, get auth codes and delete domains, as owners do.'
                : 'Only owners unlock domains, get auth codes and delete domains.'
            }
          />
        </Card>
      )}
      {owner && (
        <Card title="Invite somebody" class="narrow">
          <p>You get a link to hand over. It works once, within three days; nothing is mailed.</p>
          <PostForm action="/team" values={values} issues={issues}>
            <Field name="email" label="E-mail" type="email" required autocomplete="off" />
            <Radios name="role" label="Role" choices={CHOICES} />
            <button class="primary" type="submit">
              Make the link
            </button>
          </PostForm>
        </Card>
      )}
    </>
  );
}

interface UserRowProps {
  readonly user: UserState;
  /** The open set-up link for the person. */
  readonly link: SetupLink | undefined;
  /** Of the people of the account, by id. */
  readonly emails: ReadonlyMap<string, string>;
  readonly owner: boolean;
  readonly self: boolean;
}

function UserRow({ user, link, emails, owner, self }: UserRowProps) {
  const { id, email, role, createdAt, passwordHash } = user;
  const otherRole = role === 'owner' ? 'member' : 'owner';
  return (
    <Row>
      <Cell class="main-cell">
        <strong>{email}</strong>
        {self && <span class="small">this is you</span>}
      </Cell>
      <Cell label="Role">{role}</Cell>
      <Cell label="Since">
        <Time at={createdAt}>{shortDate(createdAt)}</Time>
      </Cell>
      <Cell label="State" class="wide">
        {passwordHash === null ? <Badge tone="warning">invited</Badge> : <Badge tone="good">active</Badge>}
        {link && (
          <small class="block">
            set-up link from {issuerOf(link, emails)}, open until{' '}
            <Time at={link.expiresAt}>{dateAndTime(link.expiresAt)}</Time>
          </small>
        )}
      </Cell>
      {owner && (
        <Cell class="row-actions wrap">
          <PostForm action={`/team/${id}/link`}>
            <button class="quiet" type="submit">
              New link<span class="unseen"> for {email}</span>
            </button>
          </PostForm>
          {link && (
            <Confirm
              label="Revoke link"
              about={`for ${email}`}
              action={`/team/${id}/link/revoke`}
              button="Revoke this link"
              question={`The set-up link for ${email} stops working at once.`}
            />
          )}
          <Confirm
            label={`Make ${otherRole}`}
            about={email}
            action={`/team/${id}/role`}
            fields={{ role: otherRole }}
            button={`Make this person ${otherRole === 'owner' ? 'an owner' : 'a member'}`}
            question={`${ROLE_WORDS[otherRole]} Set-up links for ${email} and from them stop working.`}
            danger={false}
          />
          {!self && (
            <a class="button quiet danger" href={`/team/${id}/remove`}>
              Remove<span class="unseen"> {email}</span>
            </a>
          )}
        </Cell>
      )}
    </Row>
  );
}

function issuerOf({ issuedBy }: SetupLink, emails: ReadonlyMap<string, string>): string {
  if (issuedBy?.kind === 'operator') return 'the operator';
  return (issuedBy?.kind === 'user' && emails.get(issuedBy.id)) || 'an unknown issuer';
}
