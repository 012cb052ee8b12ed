import type { EntityManager } from 'typeorm';
import type {
  SetupLinkReader,
  SetupLinkRepository,
  UserReader,
  UserRepository,
} from '../../../application/ports/access/user-repository';
import { actorText, parseActor } from '../../../domain/access/actor';
import type { Role } from '../../../domain/access/people/role';
import type { SetupLink } from '../../../domain/access/people/setup-link';
import { User, type UserState } from '../../../domain/access/people/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { fromMillis, columnsOf } from '../database/table';
import { TypeOrmFactorRepository } from './sql-factors';
import { SessionTable, SetupLinkTable, UserTable, type SetupLinkRow, type UserRow } from './access-tables';

const COLUMNS = columnsOf(UserTable, { except: ['first_email'] });
const OF_ACCOUNT = `SELECT ${COLUMNS} FROM users WHERE account_id = ? ORDER BY created_at, id`;

function toRow(state: UserState): Omit<UserRow, 'first_email'> {
  return {
    id: state.id,
    account_id: state.accountId,
    email: state.email,
    ...roleColumns(state.role),
    password_hash: state.passwordHash,
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
  };
}

function roleColumns(role: Role): Pick<UserRow, 'role' | 'member_role'> {
  if (role === 'owner') return { role, member_role: null };
  return { role: 'member', member_role: role === 'manager' ? null : role };
}

function toUser(row: Omit<UserRow, 'first_email'>): User {
  return User.fromState({
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role === 'owner' ? 'owner' : (row.member_role ?? 'manager'),
    passwordHash: row.password_hash,
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  });
}

const LINK_COLUMNS = columnsOf(SetupLinkTable, { prefix: 'l.' });
const LINKS_OF_ACCOUNT = `SELECT ${LINK_COLUMNS} FROM users u JOIN setup_links l ON l.user_id = u.id WHERE u.account_id = ?`;

function toSetupLink(row: SetupLinkRow): SetupLink {
  return {
    userId: row.user_id,
    tokenDigest: row.token_digest,
    issuedBy: row.issued_by === null ? null : parseActor(row.issued_by),
    createdAt: fromMillis(row.created_at),
    expiresAt: fromMillis(row.expires_at),
  };
}

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
}

export class TypeOrmUserRepository implements UserRepository {
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

  async add(user: User): Promise<void> {
    await this.insert(user, null);
  }

  async addFirst(user: User): Promise<void> {
    await this.insert(user, user.email);
  }

  private async insert(user: User, firstEmail: string | null): Promise<void> {
    try {
      await this.manager.insert(UserTable, { ...toRow(user.toState()), first_email: firstEmail });
    } catch (error) {
      if (isDuplicate(error)) throw ValidationError.of('email', 'belongs to a person of the account already');
      throw error;
    }
  }

  async hashesOf(email: string): Promise<readonly string[]> {
    const rows = await this.manager.query<{ password_hash: string }[]>(
      'SELECT password_hash FROM users WHERE email = ? AND password_hash IS NOT NULL ORDER BY created_at, id',
      [email],
    );
    return rows.map(({ password_hash }) => password_hash);
  }

  async save(user: User): Promise<void> {
    const { id, ...row } = toRow(user.toState());
    await this.manager.update(UserTable, { id }, row);
  }

  async remove({ id }: User): Promise<void> {
    await this.manager.delete(SessionTable, { user_id: id });
    await this.manager.delete(SetupLinkTable, { user_id: id });
    await new TypeOrmFactorRepository(this.manager).removeAll(id);
    await this.manager.delete(UserTable, { id });
  }
}

export class SqlSetupLinkReader implements SetupLinkReader {
  constructor(private readonly database: Queries) {}

  async ofAccount(accountId: string): Promise<readonly SetupLink[]> {
    return (
      await this.database.query<SetupLinkRow>(`${LINKS_OF_ACCOUNT} ORDER BY l.created_at, l.user_id`, [accountId])
    ).map(toSetupLink);
  }
}

export class TypeOrmSetupLinkRepository implements SetupLinkRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async put({ userId, tokenDigest, issuedBy, createdAt, expiresAt }: SetupLink): Promise<void> {
    await this.remove(userId);
    await this.manager.insert(SetupLinkTable, {
      user_id: userId,
      token_digest: tokenDigest,
      issued_by: issuedBy && actorText(issuedBy),
      created_at: createdAt.getTime(),
      expires_at: expiresAt.getTime(),
    });
  }

  async find(tokenDigest: string): Promise<SetupLink | undefined> {
    return this.read(tokenDigest);
  }

  async take(tokenDigest: string): Promise<SetupLink | undefined> {
    const link = await this.read(tokenDigest, this.forUpdate);
    if (link) await this.remove(link.userId);
    return link;
  }

  async takeFor(userId: string): Promise<SetupLink | undefined> {
    const [row] = await this.manager.query<SetupLinkRow[]>(
      `SELECT ${LINK_COLUMNS} FROM setup_links l WHERE l.user_id = ?${this.forUpdate}`,
      [userId],
    );
    if (row) await this.remove(userId);
    return row && toSetupLink(row);
  }

  async takeAllOf(user: User): Promise<readonly SetupLink[]> {
    const sql = `${LINKS_OF_ACCOUNT} AND (l.user_id = ? OR l.issued_by = ? OR l.issued_by IS NULL)${this.forUpdate}`;
    const issuer = actorText({ kind: 'user', id: user.id });
    const links = (await this.manager.query<SetupLinkRow[]>(sql, [user.toState().accountId, user.id, issuer])).map(
      toSetupLink,
    );
    for (const { userId } of links) await this.remove(userId);
    return links;
  }

  private async read(tokenDigest: string, forUpdate = ''): Promise<SetupLink | undefined> {
    const [row] = await this.manager.query<SetupLinkRow[]>(
      `SELECT ${LINK_COLUMNS} FROM setup_links l WHERE l.token_digest = ?${forUpdate}`,
      [tokenDigest],
    );
    return row && toSetupLink(row);
  }

  private async remove(userId: string): Promise<void> {
    await this.manager.delete(SetupLinkTable, { user_id: userId });
  }
}
