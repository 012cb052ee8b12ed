import type { EntityManager } from 'typeorm';
import type { DomainRepository, WantedDomain } from '../../../../application/ports/registration/domain-repository';
import { settleAll } from '../../../../application/shared/settle-all';
import type { NameNeighbors } from '../../../../domain/dns/zone-names/zone-ownership';
import type { Domain, DomainState } from '../../../../domain/registration/domain';
import { belowTerm } from '../../../../domain/portfolio/domain-terms';
import type { DomainName } from '../../../../domain/shared/domain-name';
import { DomainUnavailable } from '../../../../domain/registration/registration-errors';
import { deleteTerms, insertTerms, readNameservers, updateTerms } from '../../portfolio/domain-term-rows';
import { rememberGone } from '../../portfolio/gone-names';
import type { SettingChanges } from '../../portfolio/setting-changes';
import { isDuplicate } from '../../database/database-errors';
import { insertRows } from '../../database/table';
import { readNeighbors, readZonesAmong, readZonesBelow } from './name-neighbors';
import { updateDomainCounts, type CountedRow } from './domain-counts';
import { deleteNameGrams, insertNameGrams } from './pages/domain-name-search';
import { moveDomainRows } from './move-domain-rows';
import { differences, DOMAIN_COLUMNS, pendingName, toDomain, toRow } from './domain-rows';
import { DomainTable, type DomainRow } from '../registration-tables';

/** Of zones below one that comes or goes. */
const MAX_SCHEDULED = 1_000;

export class SqlDomainRepository implements DomainRepository {
  private readonly locked = new Map<string, DomainState>();
  private readonly counts: { readonly left: CountedRow[]; readonly come: CountedRow[] } = { left: [], come: [] };

  constructor(
    private readonly manager: EntityManager,
    private readonly forUpdate: string,
    private readonly skipLocked: string,
    private readonly settings: SettingChanges,
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

  async nameserversAmong(hosts: readonly string[]): Promise<readonly string[]> {
    return readNameservers(this.manager, hosts);
  }

  async neighbors(name: string, accountId: string): Promise<NameNeighbors> {
    return readNeighbors(this.manager, name, accountId);
  }

  async zonesAmong(names: readonly string[]): Promise<readonly DomainState[]> {
    return readZonesAmong(this.manager, names);
  }

  async zonesBelow(accountId: string, name: string): Promise<readonly DomainState[]> {
    return readZonesBelow(this.manager, accountId, name);
  }

  async lock(accountId: string, id: string): Promise<Domain | undefined> {
    const domain = await this.lockAny(id);
    return domain?.toState().accountId === accountId ? domain : undefined;
  }

  async lockAny(id: string): Promise<Domain | undefined> {
    return this.locking("id = ? AND status <> 'gone'", [id]);
  }

  async lockByName(name: DomainName): Promise<Domain | undefined> {
    // In this order: registrations of a name that an account hosts wait for each other at its row.
    const found = await this.locking('live_name = ?', [name.value]);
    if (found && !found.isHosted) return found;
    return (await this.locking('live_name = ?', [pendingName(name.value)])) ?? found;
  }

  async lockHosted(name: DomainName, accountId?: string): Promise<Domain | undefined> {
    return accountId === undefined
      ? this.locking("live_name = ? AND status = 'hosted'", [name.value])
      : this.locking("account_id = ? AND name = ? AND status IN ('hosted', 'unverified')", [accountId, name.value]);
  }

  async lockOwn(accountId: string, name: DomainName): Promise<Domain | undefined> {
    const condition =
      "account_id = ? AND name = ? AND status NOT IN ('transferred_out', 'gone') ORDER BY live_name IS NULL LIMIT 1";
    return this.locking(condition, [accountId, name.value]);
  }

  async lockIfFree(id: string): Promise<Domain | undefined> {
    return this.locking('id = ?', [id], this.skipLocked);
  }

  private async locking(condition: string, values: readonly string[], skipLocked = ''): Promise<Domain | undefined> {
    const [row] = await this.manager.query<DomainRow[]>(
      `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE ${condition}${this.forUpdate}${skipLocked}`,
      [...values],
    );
    const domain = toDomain(row);
    if (domain) this.locked.set(domain.id, domain.toState());
    return domain;
  }

  async scheduleBelow({ accountId, name }: Pick<DomainState, 'accountId' | 'name'>, dueAt: Date): Promise<void> {
    const rows = await this.manager.query<{ id: string }[]>(
      "SELECT t.domain_id AS id FROM domain_terms t JOIN domains d ON d.id = t.domain_id WHERE t.account_id = ? AND t.term = ? AND d.status = 'hosted' LIMIT ?",
      [accountId, belowTerm(name), MAX_SCHEDULED],
    );
    if (rows.length === 0) return;
    const marks = rows.map(() => '?').join(', ');
    await this.manager.query(`UPDATE domains SET due_at = ? WHERE id IN (${marks})`, [
      dueAt.getTime(),
      ...rows.map(({ id }) => id),
    ]);
  }

  async add(domain: Domain): Promise<void> {
    const row = toRow(domain.toState());
    try {
      await settleAll([
        insertRows(this.manager, DomainTable, [row]),
        insertNameGrams(this.manager, row),
        insertTerms(this.manager, domain.toState()),
        this.assertNoRival(row),
      ]);
      this.counts.come.push(row);
      this.locked.set(domain.id, domain.toState());
    } catch (error) {
      throwUnavailable(error);
    }
  }

  async save(domain: Domain): Promise<void> {
    const state = domain.toState();
    const before = this.locked.get(state.id);
    // Without the lock, another transaction could have changed it: its change and the counts would be wrong.
    if (!before) throw new TypeError(`${state.id} is saved without having been locked`);
    const [row, rowBefore] = [toRow(state), toRow(before)];
    const changes = differences(rowBefore, row);
    if (Object.keys(changes).length > 0) {
      await this.manager.update(DomainTable, { id: state.id }, changes).catch(throwUnavailable);
      if (startsToLive(rowBefore, row)) await this.assertNoRival(row);
      await updateTerms(this.manager, before, state);
      await rememberGone(this.manager, before, state);
      this.settings.noteChange(before, state);
      this.counts.left.push(rowBefore);
      this.counts.come.push(row);
    }
    this.locked.set(state.id, state);
  }

  async saveMoved(domain: Domain): Promise<void> {
    const before = this.locked.get(domain.id);
    const { accountId, name } = domain.toState();
    // Terms have the account in their key.
    await deleteTerms(this.manager, [domain.id]);
    await this.save(domain);
    await insertNameGrams(this.manager, { account_id: accountId, name });
    if (before) await deleteNameGrams(this.manager, { account_id: before.accountId, name }, this.forUpdate);
    await moveDomainRows(this.manager, { domainId: domain.id, accountId });
  }

  /** The last statements of a transaction: domains of an account share these rows, which it then holds for the shortest time. */
  async updateCounts(): Promise<void> {
    const { left, come } = this.counts;
    if (left.length + come.length > 0) await updateDomainCounts(this.manager, left, come);
  }

  /**
   * A pending registration and an active name have different values in `live_name`, so that its index does not keep them apart. Asked after
   * the insertion, of two transactions at least one sees the other.
   */
  private async assertNoRival({ id, account_id: accountId, name, live_name: liveName }: LiveRow): Promise<void> {
    if (liveName === null) return;
    const other = liveName === name ? pendingName(name) : name;
    const rivals = await this.manager.query<unknown[]>(
      `SELECT id FROM domains WHERE live_name = ? AND id <> ? AND (status <> 'hosted' OR account_id = ?)${this.forUpdate}`,
      [other, id, accountId],
    );
    if (rivals.length > 0) throw new DomainUnavailable();
  }
}

type LiveRow = Pick<ReturnType<typeof toRow>, 'id' | 'account_id' | 'name' | 'live_name'>;

function startsToLive(before: LiveRow | undefined, { live_name: liveName }: LiveRow): boolean {
  return before?.live_name === null && liveName !== null;
}

/** Another domain of that name lives. */
function throwUnavailable(error: unknown): never {
  if (isDuplicate(error)) throw new DomainUnavailable(undefined, { cause: error });
  throw error;
}
