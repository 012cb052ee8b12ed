import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type {
  SetupLinkReader,
  SetupLinkRepository,
  UserReader,
  UserRepository,
} from '../../../application/ports/access/users';
import { actorText } from '../../../domain/access/actor';
import type { Role } from '../../../domain/access/people/role';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import { User, type UserState } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { columnsOf, rowOf, stateOf } from '../database/table';
import { SqlFactorRepository } from './sql-factors';
import { SqlIdentityRepository } from './sql-identities';
import { MailSettingsTable, MailTable } from '../notices/notice-tables';
import { SessionTable, SetupLinkTable, UserTable, type SetupLinkRow, type UserRow } from './access-tables';

const COLUMNS = columnsOf(UserTable, { except: ['first_email', 'entered_at'] });
const OF_ACCOUNT = `SELECT ${COLUMNS} FROM users WHERE account_id = ? ORDER BY created_at, id`;

type StateRow = Omit<UserRow, 'first_email' | 'entered_at'>;

function toRow(state: UserState): StateRow {
  return {
    ...rowOf(UserTable, state),
    ...roleColumns(state.role),
    password_hash: state.linked ? null : state.passwordHash,
    person_id: state.personId === state.id ? null : state.personId,
    linked_hash: state.linked ? (state.passwordHash ?? '') : null,
  };
}

function roleColumns(role: Role): Pick<UserRow, 'role' | 'member_role'> {
  if (role === 'owner') return { role, member_role: null };
  return { role: 'member', member_role: role === 'manager' ? null : role };
}

function toUser(row: StateRow): User {
  return User.fromState({
    ...stateOf(UserTable, row),
    ...personOf(row),
    role: row.role === 'owner' ? 'owner' : (row.member_role ?? 'manager'),
  });
}

function personOf({
  id,
  person_id,
  linked_hash,
  password_hash,
}: StateRow): Pick<UserState, 'personId' | 'linked' | 'passwordHash'> {
  const personId = person_id ?? id;
  if (linked_hash === null) return { personId, linked: false, passwordHash: password_hash };
  if (password_hash === null) return { personId, linked: true, passwordHash: linked_hash === '' ? null : linked_hash };
  // Set by an older release: a separate person, under an id that no other user has.
  const ownId = `per_${createHash('sha256').update(password_hash).digest('hex').slice(0, 32)}`;
  return { personId: ownId, linked: false, passwordHash: password_hash };
}

type Query = <T>(sql: string, parameters: readonly string[]) => Promise<T[]>;

/** @param forUpdate appended to each statement */
async function usersOfPerson(query: Query, personId: string, forUpdate = ''): Promise<readonly User[]> {
  const rows = [
    ...(await query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?${forUpdate}`, [personId])),
    ...(await query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE person_id = ? ORDER BY id${forUpdate}`, [personId])),
  ];
  return rows
    .toSorted((left, right) => left.created_at - right.created_at || (left.id < right.id ? -1 : 1))
    .map(toUser)
    .filter((user) => user.toState().personId === personId);
}

/** The ids of the users of the same person, this one included. */
export async function idsOfPerson(query: Query, userId: string): Promise<readonly string[]> {
  const [row] = await query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, [userId]);
  const { personId, linked } = row ? toUser(row).toState() : { personId: userId, linked: false };
  return linked ? (await usersOfPerson(query, personId)).map(({ id }) => id) : [userId];
}

const LINK_COLUMNS = columnsOf(SetupLinkTable, { prefix: 'l.' });
const LINKS_OF_ACCOUNT = `SELECT ${LINK_COLUMNS} FROM users u JOIN setup_links l ON l.user_id = u.id WHERE u.account_id = ?`;
const LINK_OF_TOKEN = `SELECT ${LINK_COLUMNS} FROM setup_links l WHERE l.token_digest = ?`;

export class SqlUserReader implements UserReader {
  constructor(private readonly database: Queries) {}

  async find(id: string): Promise<User | undefined> {
    const [row] = await this.database.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, [id]);
    return row && toUser(row);
  }

  async ofEmail(email: string): Promise<readonly User[]> {
    const rows = await this.database.query<UserRow>(
      `SELECT ${COLUMNS} FROM users WHERE email = ? ORDER BY created_at, id`,
      [email],
    );
    return rows.map(toUser);
  }

  async ofAccount(accountId: string): Promise<readonly User[]> {
    const rows = await this.database.query<UserRow>(OF_ACCOUNT, [accountId]);
    return rows.map(toUser);
  }

  async ofPerson(personId: string): Promise<readonly User[]> {
    return usersOfPerson((sql, parameters) => this.database.query(sql, parameters), personId);
  }

  async lastUsed(personId: string): Promise<User | undefined> {
    const users = await this.ofPerson(personId);
    if (users.length < 2) return users[0];
    const [last] = await this.database.query<{ id: string }>(
      `SELECT id FROM users WHERE id IN (${users.map(() => '?').join(', ')}) AND entered_at IS NOT NULL ORDER BY entered_at DESC LIMIT 1`,
      users.map(({ id }) => id),
    );
    return users.find(({ id }) => id === last?.id) ?? users[0];
  }
}

export class SqlUserRepository implements UserRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async lock(id: string): Promise<User | undefined> {
    const [row] = await this.manager.query<UserRow[]>(`SELECT ${COLUMNS} FROM users WHERE id = ?${this.forUpdate}`, [
      id,
    ]);
    return row && toUser(row);
  }

  async lockAll(accountId: string): Promise<readonly User[]> {
    const rows = await this.manager.query<UserRow[]>(`${OF_ACCOUNT}${this.forUpdate}`, [accountId]);
    return rows.map(toUser);
  }

  async lockPerson(personId: string): Promise<readonly User[]> {
    return usersOfPerson((sql, parameters) => this.manager.query(sql, [...parameters]), personId, this.forUpdate);
  }

  async add(user: User): Promise<void> {
    await this.insert(user, null);
  }

  async addFirst(user: User): Promise<void> {
    await this.insert(user, user.email);
  }

  private async insert(user: User, firstEmail: string | null): Promise<void> {
    const row = toRow(user.toState());
    await assertNewEmail(this.manager.insert(UserTable, { ...row, first_email: firstEmail }));
  }

  async hashesOf(email: string): Promise<readonly string[]> {
    const rows = await this.manager.query<UserRow[]>(
      `SELECT ${COLUMNS} FROM users WHERE email = ? ORDER BY created_at, id`,
      [email],
    );
    return rows.flatMap((row) => toUser(row).toState().passwordHash ?? []);
  }

  async save(user: User): Promise<void> {
    const { id, ...row } = toRow(user.toState());
    await assertNewEmail(this.manager.update(UserTable, { id }, row));
  }

  async remove(user: User): Promise<void> {
    const { id } = user;
    const { personId } = user.toState();
    const isLast = (await this.lockPerson(personId)).every((each) => each.id === id);
    await this.manager.delete(SessionTable, { user_id: id });
    await this.manager.delete(SetupLinkTable, { user_id: id });
    await this.manager.delete(MailTable, { user_id: id });
    if (isLast) {
      await this.manager.delete(MailSettingsTable, { person_id: personId });
      await new SqlFactorRepository(this.manager).removeAll(personId);
      await new SqlIdentityRepository(this.manager).removeAll(personId);
    }
    await this.manager.delete(UserTable, { id });
  }
}

/** @throws ValidationError if another person of the account has the e-mail */
async function assertNewEmail(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isDuplicate(error)) throw ValidationError.of('email', 'belongs to a person of the account already');
    throw error;
  }
}

export class SqlSetupLinkReader implements SetupLinkReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly SetupLink[]> {
    return (
      await this.database.query<SetupLinkRow>(`${LINKS_OF_ACCOUNT} ORDER BY l.created_at, l.user_id`, [accountId])
    ).map((row) => stateOf(SetupLinkTable, row));
  }

  async find(tokenDigest: string): Promise<SetupLink | undefined> {
    const [row] = await this.database.query<SetupLinkRow>(LINK_OF_TOKEN, [tokenDigest]);
    return row && stateOf(SetupLinkTable, row);
  }
}

export class SqlSetupLinkRepository implements SetupLinkRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async put(link: SetupLink): Promise<void> {
    await this.remove(link.userId);
    await this.manager.insert(SetupLinkTable, rowOf(SetupLinkTable, link));
  }

  async take(tokenDigest: string): Promise<SetupLink | undefined> {
    const [row] = await this.manager.query<SetupLinkRow[]>(`${LINK_OF_TOKEN}${this.forUpdate}`, [tokenDigest]);
    if (row) await this.remove(row.user_id);
    return row && stateOf(SetupLinkTable, row);
  }

  async takeFor(userId: string): Promise<SetupLink | undefined> {
    const [row] = await this.manager.query<SetupLinkRow[]>(
      `SELECT ${LINK_COLUMNS} FROM setup_links l WHERE l.user_id = ?${this.forUpdate}`,
      [userId],
    );
    if (row) await this.remove(userId);
    return row && stateOf(SetupLinkTable, row);
  }

  async takeAllOf(user: User): Promise<readonly SetupLink[]> {
    const sql = `${LINKS_OF_ACCOUNT} AND (l.user_id = ? OR l.issued_by = ? OR l.issued_by IS NULL)${this.forUpdate}`;
    const issuer = actorText({ kind: 'user', id: user.id });
    const links = (await this.manager.query<SetupLinkRow[]>(sql, [user.toState().accountId, user.id, issuer])).map(
      (row) => stateOf(SetupLinkTable, row),
    );
    for (const { userId } of links) await this.remove(userId);
    return links;
  }

  private async remove(userId: string): Promise<void> {
    await this.manager.delete(SetupLinkTable, { user_id: userId });
  }
}
