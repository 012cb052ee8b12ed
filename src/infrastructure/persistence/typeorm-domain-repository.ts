import { EntitySchema, type EntityManager } from 'typeorm';
import type { DomainFilter, DomainReader, DomainRepository, ListPosition } from '../../application/ports/domain-repository';
import type { ZoneSignature } from '../../application/ports/zone-repository';
import { SERVICE } from '../../domain/access/actor';
import { Domain, type DomainState } from '../../domain/registration/domain';
import type { DomainName } from '../../domain/registration/domain-name';
import { isServed, type DomainStatus } from '../../domain/registration/domain-status';
import { DomainUnavailable } from '../../domain/registration/errors';
import type { Registrant } from '../../domain/registration/registrant';
import type { Queries } from './database';
import { isDuplicate } from './database-errors';
import { fromMillis } from './row-times';
import { keepVersion } from './zone-changes';

export interface DomainRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly live_name: string | null;
  readonly status: DomainStatus;
  readonly expires_at: number;
  readonly auto_renew: number;
  readonly transfer_locked: number;
  readonly nameservers: string;
  readonly registrant: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export const DomainSchema = new EntitySchema<DomainRow>({
  name: 'Domain',
  tableName: 'domains',
  columns: {
    id: { type: 'varchar', primary: true },
    account_id: { type: 'varchar' },
    name: { type: 'varchar' },
    live_name: { type: 'varchar', nullable: true },
    status: { type: 'varchar' },
    expires_at: { type: 'bigint' },
    auto_renew: { type: 'smallint' },
    transfer_locked: { type: 'smallint' },
    nameservers: { type: 'text' },
    registrant: { type: 'text' },
    created_at: { type: 'bigint' },
    updated_at: { type: 'bigint' },
  },
});

export const DOMAIN_COLUMNS = 'id, account_id, name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at';
/** Statuses in which the name is not ours to hold any more. */
const NOT_LIVING: readonly DomainStatus[] = ['transferred_out', 'gone'];

function toRow(state: DomainState): DomainRow {
  return {
    id: state.id,
    account_id: state.accountId,
    name: state.name,
    live_name: NOT_LIVING.includes(state.status) ? null : state.name,
    status: state.status,
    expires_at: state.expiresAt.getTime(),
    auto_renew: Number(state.autoRenew),
    transfer_locked: Number(state.transferLocked),
    nameservers: JSON.stringify(state.nameservers),
    registrant: JSON.stringify(state.registrant),
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
  };
}

export function toDomainState(row: DomainRow): DomainState {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    status: row.status,
    expiresAt: fromMillis(row.expires_at),
    autoRenew: row.auto_renew === 1,
    transferLocked: row.transfer_locked === 1,
    nameservers: JSON.parse(row.nameservers) as string[],
    registrant: JSON.parse(row.registrant) as Registrant,
    createdAt: fromMillis(row.created_at),
    updatedAt: fromMillis(row.updated_at),
  };
}

function toDomain(row: DomainRow | undefined): Domain | undefined {
  return row && Domain.restore(toDomainState(row));
}

export class TypeOrmDomainReader implements DomainReader {
  constructor(private readonly database: Queries) {}

  async find(accountId: string, id: string): Promise<Domain | undefined> {
    const [row] = await this.database.query<DomainRow>(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND account_id = ? AND status <> 'gone'`, [id, accountId]);
    return toDomain(row);
  }

  async findByName(accountId: string, name: DomainName): Promise<Domain | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND name = ? AND status <> 'gone' ORDER BY live_name IS NULL, created_at DESC LIMIT 1`;
    const [row] = await this.database.query<DomainRow>(sql, [accountId, name.value]);
    return toDomain(row);
  }

  async page(accountId: string, { status, nameContains }: DomainFilter, limit: number, after?: ListPosition): Promise<readonly DomainState[]> {
    const conditions = ["account_id = ? AND status <> 'gone'"];
    const parameters: unknown[] = [accountId];
    if (status !== undefined) {
      conditions.push('status = ?');
      parameters.push(status);
    }
    if (nameContains !== undefined) {
      conditions.push('INSTR(name, ?) > 0');
      parameters.push(nameContains);
    }
    if (after) {
      conditions.push('created_at >= ? AND (created_at > ? OR id > ?)');
      parameters.push(after.createdAt.getTime(), after.createdAt.getTime(), after.id);
    }
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE ${conditions.join(' AND ')} ORDER BY created_at, id LIMIT ?`;
    const rows = await this.database.query<DomainRow>(sql, [...parameters, limit]);
    return rows.map(toDomainState);
  }
}

export class TypeOrmDomainRepository implements DomainRepository {
  private readonly locked = new Map<string, DomainState>();

  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
  ) {}

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND status <> 'gone'${this.forUpdate}`;
    const [row] = await this.manager.query<DomainRow[]>(sql, [id]);
    const domain = toDomain(row);
    if (domain) this.locked.set(id, domain.toState());
    return domain;
  }

  async lockIfFree(id: string): Promise<Domain | undefined> {
    const [row] = await this.manager.query<DomainRow[]>(`SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ?${this.forUpdate}${this.skipLocked}`, [id]);
    return toDomain(row);
  }

  async add(domain: Domain): Promise<void> {
    try {
      await this.manager.insert(DomainSchema, toRow(domain.toState()));
    } catch (error) {
      if (isDuplicate(error)) throw new DomainUnavailable(undefined, { cause: error });
      throw error;
    }
  }

  async save(domain: Domain, by: ZoneSignature = { actor: SERVICE, at: new Date() }): Promise<void> {
    const { id, ...row } = toRow(domain.toState());
    await this.manager.update(DomainSchema, { id }, row);
    await this.raiseVersions(domain.toState(), by);
  }

  private async raiseVersions({ id, status, nameservers }: DomainState, by: ZoneSignature): Promise<void> {
    const before = this.locked.get(id);
    const moved = before === undefined || isServed(before.status) !== isServed(status);
    const delegated = before === undefined || before.nameservers.join() !== nameservers.join();
    if (delegated || moved) {
      await this.manager.query('UPDATE zones SET version = version + 1, changed_at = ? WHERE domain_id = ?', [Date.now(), id]);
      await keepVersion(this.manager, id, by);
    }
    if (moved) await this.manager.query('UPDATE dns_catalog SET version = version + 1 WHERE id = 1');
  }
}
