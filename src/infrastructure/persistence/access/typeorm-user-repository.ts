import { EntitySchema, type EntityManager } from 'typeorm';
import type { SetupLinkRepository, UserReader, UserRepository } from '../../../application/ports/access/user-repository';
import type { Role } from '../../../domain/access/role';
import type { SetupLink } from '../../../domain/access/setup-link';
import { User, type UserState } from '../../../domain/access/user';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { Queries } from '../database/database';
import { isDuplicate } from '../database/database-errors';
import { fromMillis } from '../row-times';

interface UserRow {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly role: Role;
  readonly password_hash: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

interface SetupLinkRow {
  readonly user_id: string;
  readonly token_digest: string;
  readonly created_at: number;
  readonly expires_at: number;
}

export const UserSchema = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'varchar', primary: true },
    account_id: { type: 'varchar' },
    email: { type: 'varchar' },
    role: { type: 'varchar' },
    password_hash: { type: 'varchar', nullable: true },
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
  },
});

const COLUMNS = 'id, account_id, email, role, password_hash, created_at, updated_at';
const OF_ACCOUNT = `SELECT ${COLUMNS} FROM users WHERE account_id = ? ORDER BY created_at, id`;

function toRow(state: UserState): UserRow {
  return {
    id: state.id,
    account_id: state.accountId,
    email: state.email,
    role: state.role,
    password_hash: state.passwordHash,
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
  };
}

function toUser(row: UserRow): User {
  return User.restore({
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    passwordHash: row.password_hash,
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  });
}

export class TypeOrmUserReader implements UserReader {
  constructor(private readonly database: Queries) {}

  async find(id: string): Promise<User | undefined> {
    const [row] = await this.database.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, [id]);
    return row && toUser(row);
  }

  async findByEmail(email: string): Promise<User | undefined> {
    const [row] = await this.database.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE email = ?`, [email]);
    return row && toUser(row);
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
    const [row] = await this.manager.query<UserRow[]>(`SELECT ${COLUMNS} FROM users WHERE id = ?${this.forUpdate}`, [id]);
    return row && toUser(row);
  }

  async lockAll(accountId: string): Promise<readonly User[]> {
    const rows = await this.manager.query<UserRow[]>(`${OF_ACCOUNT}${this.forUpdate}`, [accountId]);
    return rows.map(toUser);
  }

  async add(user: User): Promise<void> {
    try {
      await this.manager.insert(UserSchema, toRow(user.toState()));
    } catch (error) {
      if (isDuplicate(error)) throw ValidationError.of('email', 'belongs to somebody who has a sign-in already');
      throw error;
    }
  }

  async save(user: User): Promise<void> {
    const { id, ...row } = toRow(user.toState());
    await this.manager.update(UserSchema, { id }, row);
  }

  async remove({ id }: User): Promise<void> {
    await this.manager.query('DELETE FROM sessions WHERE user_id = ?', [id]);
    await this.manager.query('DELETE FROM setup_links WHERE user_id = ?', [id]);
    await this.manager.query('DELETE FROM users WHERE id = ?', [id]);
  }
}

export class TypeOrmSetupLinkRepository implements SetupLinkRepository {
  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
  ) {}

  async put({ userId, tokenDigest, createdAt, expiresAt }: SetupLink): Promise<void> {
    await this.manager.query('DELETE FROM setup_links WHERE user_id = ?', [userId]);
    const sql = 'INSERT INTO setup_links (user_id, token_digest, created_at, expires_at) VALUES (?, ?, ?, ?)';
    await this.manager.query(sql, [userId, tokenDigest, createdAt.getTime(), expiresAt.getTime()]);
  }

  async find(tokenDigest: string): Promise<SetupLink | undefined> {
    return this.read(tokenDigest);
  }

  async take(tokenDigest: string): Promise<SetupLink | undefined> {
    const link = await this.read(tokenDigest, this.forUpdate);
    if (link) await this.manager.query('DELETE FROM setup_links WHERE token_digest = ?', [tokenDigest]);
    return link;
  }

  private async read(tokenDigest: string, forUpdate = ''): Promise<SetupLink | undefined> {
    const sql = `SELECT user_id, token_digest, created_at, expires_at FROM setup_links WHERE token_digest = ?${forUpdate}`;
    const [row] = await this.manager.query<SetupLinkRow[]>(sql, [tokenDigest]);
    return row && { userId: row.user_id, tokenDigest: row.token_digest, createdAt: fromMillis(row.created_at), expiresAt: fromMillis(row.expires_at) };
  }
}
