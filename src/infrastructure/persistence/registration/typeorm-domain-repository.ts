import type { EntityManager } from 'typeorm';
import type {
  DomainFilter,
  DomainReader,
  DomainRepository,
  ListedDomain,
  NamedDomain,
  WantedDomain,
} from '../../../application/ports/registration/domain-repository';
import type { ListPosition } from '../../../application/ports/storage/list-position';
import type { Page } from '../../../application/ports/storage/page';
import { settleAll } from '../../../application/settle-all';
import { Domain, type DomainState } from '../../../domain/registration/domain';
import type { DomainName } from '../../../domain/registration/domain-name';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { DomainUnavailable } from '../../../domain/registration/errors';
import type { Registrant } from '../../../domain/registration/registrant';
import { toUnicodeName } from '../../../domain/shared/idna';
import type { Queries } from '../database/database';
import { chunks } from '../dns/sql-zone-reader';
import { insertTerms, updateTerms } from '../portfolio/domain-term-rows';
import { isDuplicate } from '../database/database-errors';
import { fromMillis, fromNullableMillis, columnsOf } from '../database/table';
import { updateDomainCounts, type CountedRow } from './domain-counts';
import { insertNameGrams } from './domain-name-search';
import { readDomainPage, SEARCH_LIMITS, type SearchLimits } from './domain-page';
import { EMPTY_REGISTRANT } from './empty-registrant';
import { DomainTable, type DomainRow } from './registration-tables';

export const DOMAIN_COLUMNS = columnsOf(DomainTable, {
  except: ['live_name', 'unicode_name', 'ended_at', 'registrant_erased'],
});
/** Statuses in which another domain may have the name. */
const INACTIVE: readonly DomainStatus[] = ['transferred_out', 'gone'];
/** Databases limit the parameters of a statement. */
const NAMES_PER_QUERY = 1_000;

function toRow(state: DomainState): Omit<DomainRow, 'registrant_erased'> {
  return {
    id: state.id,
    account_id: state.accountId,
    name: state.name,
    live_name: INACTIVE.includes(state.status) ? null : state.name,
    unicode_name: toUnicodeName(state.name) ?? null,
    status: state.status,
    expires_at: state.expiresAt.getTime(),
    auto_renew: Number(state.autoRenew),
    transfer_locked: Number(state.transferLocked),
    nameservers: JSON.stringify(state.nameservers),
    tags: state.tags.length === 0 ? null : JSON.stringify(state.tags),
    registrant: JSON.stringify(state.registrant ?? EMPTY_REGISTRANT),
    phase_ends_at: state.phaseEndsAt?.getTime() ?? null,
    renewal_tried_at: state.renewalTriedAt?.getTime() ?? null,
    auth_code_until: state.authCodeUntil?.getTime() ?? null,
    due_at: state.dueAt?.getTime() ?? null,
    transfer_pending: Number(state.transferPending),
    registrar_renews: Number(state.registrarRenews),
    transfer_requested_at: state.transferRequestedAt?.getTime() ?? null,
    transfer_ends_at: state.transferEndsAt?.getTime() ?? null,
    registered_at: state.registeredAt?.getTime() ?? null,
    created_at: state.createdAt.getTime(),
    updated_at: state.updatedAt.getTime(),
    ended_at: INACTIVE.includes(state.status) ? state.updatedAt.getTime() : null,
  };
}

const LISTED = [
  'id',
  'name',
  'status',
  'expires_at',
  'auto_renew',
  'transfer_locked',
  'nameservers',
  'tags',
  'created_at',
] as const satisfies readonly (keyof DomainRow)[];
type ListedRow = Pick<DomainRow, (typeof LISTED)[number]>;

function toListed(row: ListedRow): ListedDomain {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    expiresAt: fromMillis(row.expires_at),
    autoRenew: row.auto_renew === 1,
    transferLocked: row.transfer_locked === 1,
    nameservers: JSON.parse(row.nameservers) as string[],
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    createdAt: fromMillis(row.created_at),
  };
}

function readRegistrant(json: string): Registrant | null {
  return json === JSON.stringify(EMPTY_REGISTRANT) ? null : (JSON.parse(json) as Registrant);
}

export function toDomainState(row: DomainRow): DomainState {
  return {
    accountId: row.account_id,
    registrant: readRegistrant(row.registrant),
    phaseEndsAt: fromNullableMillis(row.phase_ends_at),
    renewalTriedAt: fromNullableMillis(row.renewal_tried_at),
    authCodeUntil: fromNullableMillis(row.auth_code_until),
    dueAt: fromNullableMillis(row.due_at),
    transferPending: row.transfer_pending === 1,
    transferRequestedAt: fromNullableMillis(row.transfer_requested_at),
    transferEndsAt: fromNullableMillis(row.transfer_ends_at),
    registrarRenews: row.registrar_renews === 1,
    registeredAt: fromNullableMillis(row.registered_at),
    updatedAt: fromMillis(row.updated_at),
    ...toListed(row),
  };
}

/** SQLite rewrites every index over a column that is set, whatever it is set to: what stays as it was is left out. */
function differences(
  before: ReturnType<typeof toRow> | undefined,
  { id: _key, ...after }: ReturnType<typeof toRow>,
): Partial<DomainRow> {
  const columns = Object.keys(after) as (keyof typeof after)[];
  return Object.fromEntries(
    columns.filter((column) => before?.[column] !== after[column]).map((column) => [column, after[column]]),
  );
}

function toDomain(row: DomainRow | undefined): Domain | undefined {
  return row && Domain.fromState(toDomainState(row));
}

export class SqlDomainReader implements DomainReader {
  constructor(
    private readonly database: Queries,
    private readonly limits: SearchLimits = SEARCH_LIMITS,
  ) {}

  async find(accountId: string, id: string): Promise<Domain | undefined> {
    const [row] = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND account_id = ? AND status <> 'gone'`,
      [id, accountId],
    );
    return toDomain(row);
  }

  async findEvenGone(accountId: string, id: string): Promise<Domain | undefined> {
    const [row] = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = ? AND account_id = ?`,
      [id, accountId],
    );
    return toDomain(row);
  }

  async due(now: Date, limit: number): Promise<readonly NamedDomain[]> {
    return this.database.query<NamedDomain>(
      "SELECT id, name FROM domains WHERE due_at <= ? AND status <> 'gone' ORDER BY due_at LIMIT ?",
      [now.getTime(), limit],
    );
  }

  async liveAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    const found: DomainState[] = [];
    for (const some of chunks(names, NAMES_PER_QUERY)) {
      const marks = some.map(() => '?').join(', ');
      const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE live_name IN (${marks})`;
      found.push(...(await this.database.query<DomainRow>(sql, [...some])).map(toDomainState));
    }
    return found;
  }

  async livePage(limit: number, afterId = ''): Promise<readonly DomainState[]> {
    const rows = await this.database.query<DomainRow>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id > ? AND live_name IS NOT NULL ORDER BY id LIMIT ?`,
      [afterId, limit],
    );
    return rows.map(toDomainState);
  }

  async nextDueAt(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ due_at: number }>(
      "SELECT due_at FROM domains WHERE due_at IS NOT NULL AND status <> 'gone' ORDER BY due_at LIMIT 1",
    );
    return row && fromMillis(row.due_at);
  }

  async findByName(accountId: string, name: DomainName): Promise<Domain | undefined> {
    const sql = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE account_id = ? AND name = ? AND status <> 'gone' ORDER BY live_name IS NULL, created_at DESC LIMIT 1`;
    const [row] = await this.database.query<DomainRow>(sql, [accountId, name.value]);
    return toDomain(row);
  }

  async page(
    accountId: string,
    filter: DomainFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<Page<ListedDomain, ListPosition>> {
    const { rows, next } = await readDomainPage<ListedRow>(
      this.database,
      {
        columns: LISTED.join(', '),
        accountId,
        filter,
        ordering: {
          column: 'created_at',
          descending: false,
          index: filter.status === undefined ? 'domains_by_account' : 'domains_by_status_and_creation',
          hasStatus: true,
        },
        limit,
        after: after && { value: after.createdAt.getTime(), id: after.id },
      },
      this.limits,
    );
    return {
      items: rows.map(toListed),
      next: next && { createdAt: fromMillis(Number(next.value)), id: next.id },
    };
  }
}

export class TypeOrmDomainRepository implements DomainRepository {
  private readonly locked = new Map<string, DomainState>();
  private readonly counts: { readonly left: CountedRow[]; readonly come: CountedRow[] } = { left: [], come: [] };

  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
  ) {}

  async findEach(wanted: readonly WantedDomain[]): Promise<readonly (Domain | undefined)[]> {
    if (wanted.length === 0) return [];
    const marks = wanted.map(() => '?').join(', ');
    const rows = await this.manager.query<DomainRow[]>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id IN (${marks}) AND status <> 'gone'`,
      wanted.map(({ domainId }) => domainId),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return wanted.map(({ accountId, domainId }) => {
      const row = found.get(domainId);
      return row?.account_id === accountId ? toDomain(row) : undefined;
    });
  }

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    return this.locking("id = ? AND status <> 'gone'", id);
  }

  async lockByName(name: DomainName): Promise<Domain | undefined> {
    return this.locking('live_name = ?', name.value);
  }

  async lockIfFree(id: string): Promise<Domain | undefined> {
    return this.locking('id = ?', id, this.skipLocked);
  }

  private async locking(condition: string, value: string, skipLocked = ''): Promise<Domain | undefined> {
    const [row] = await this.manager.query<DomainRow[]>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE ${condition}${this.forUpdate}${skipLocked}`,
      [value],
    );
    const domain = toDomain(row);
    if (domain) this.locked.set(domain.id, domain.toState());
    return domain;
  }

  async add(domain: Domain): Promise<void> {
    const row = toRow(domain.toState());
    try {
      await settleAll([
        this.manager.insert(DomainTable, row),
        insertNameGrams(this.manager, row),
        insertTerms(this.manager, domain.toState()),
      ]);
      this.counts.come.push(row);
    } catch (error) {
      if (isDuplicate(error)) throw new DomainUnavailable(undefined, { cause: error });
      throw error;
    }
  }

  async save(domain: Domain): Promise<void> {
    const state = domain.toState();
    const before = this.locked.get(state.id);
    const [row, rowBefore] = [toRow(state), before && toRow(before)];
    const changes = differences(rowBefore, row);
    if (Object.keys(changes).length > 0) {
      const counted = rowBefore ? [rowBefore] : await this.countedRows(state.id);
      await this.manager.update(DomainTable, { id: state.id }, changes);
      await updateTerms(this.manager, before, state);
      this.counts.left.push(...counted);
      this.counts.come.push(row);
    }
    this.locked.set(state.id, state);
  }

  /** The last statements of a transaction: domains of an account share these rows, which it then holds for the shortest time. */
  async updateCounts(): Promise<void> {
    await updateDomainCounts(this.manager, this.counts.left, this.counts.come);
  }

  private countedRows(id: string): Promise<CountedRow[]> {
    return this.manager.query('SELECT account_id, status, expires_at, auto_renew FROM domains WHERE id = ?', [id]);
  }
}
