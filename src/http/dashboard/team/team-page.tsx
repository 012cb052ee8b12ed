import { ROLES, type Role } from '../../../domain/access/role';
import type { UserState } from '../../../domain/access/user';
import type { FormFaults } from '../form-faults';
import { shortDate } from '../layout/dates';
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
  readonly values: FormValues;
  readonly faults: FormFaults | undefined;
}

export function TeamPage({ users, values, faults }: TeamPageProps) {
  const { visitor } = usePage();
  const owner = visitor?.user.role === 'owner';
  return (
    <>
      <PageHeading title="Team" lead={`Who may sign in to ${visitor?.account.name ?? ''}.`} />
      <section class="card flush">
        <Table caption="People of the account" columns={['E-mail', 'Role', 'Since', 'State', ...(owner ? [<span class="unseen">Actions</span>] : [])]}>
          {users.map((user) => (
            <UserRow key={user.id} user={user} owner={owner} self={user.id === visitor?.user.id} />
          ))}
        </Table>
      </section>
      {owner && (
        <Card title="Invite somebody" class="narrow">
          <p>You get a link to hand over. It works once, within three days; nothing is mailed.</p>
          <PostForm action="/team" values={values} faults={faults}>
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

function UserRow({ user, owner, self }: { readonly user: UserState; readonly owner: boolean; readonly self: boolean }) {
  const { id, email, role, createdAt, passwordHash } = user;
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
      <Cell label="State">{passwordHash === null ? <Badge tone="warning">invited</Badge> : <Badge tone="good">active</Badge>}</Cell>
      {owner && (
        <Cell class="row-actions">
          <PostForm action={`/team/${id}/link`}>
            <button class="quiet" type="submit">
              New link<span class="unseen"> for {email}</span>
            </button>
          </PostForm>
          {!self && <Confirm label="Remove" about={email} action={`/team/${id}/remove`} button="Remove this person" question={`${email} is signed out at once and cannot sign in again. Keys that they created go on working.`} />}
        </Cell>
      )}
    </Row>
  );
}
