import type { EntityManager } from 'typeorm';
import type {
  Alias,
  AliasPosition,
  AliasReader,
  AliasRepository,
  AliasStatus,
  TargetGroup,
} from '../../../../application/ports/dns/alias-repository';
import type { AliasTarget } from '../../../../domain/dns/alias/alias-target';
import { ROOT } from '../../../../domain/dns/records/record-name';
import { topBelow, wildcardsOf } from '../../../../domain/dns/zone-view';
import type { Queries } from '../../database/database';
import { forceIndex } from '../../database/mysql/force-index';
import { columnsOf, insertRows, mappingOf, sendStatements, placeholders, rowOf, stateOf } from '../../database/table';
import { AliasTable, AliasTargetTable, type AliasRow, type AliasTargetRow } from '../dns-tables';
import { hasNameIn } from '../sql-zone-reader';
import { keepAddressChanges } from './address-history';

const COLUMNS = columnsOf(AliasTable, { except: ['due_at'] });
const TARGETS = `SELECT ${columnsOf(AliasTargetTable)} FROM alias_targets`;
/** Registered names have two to four labels, so a zone is found among the last labels of a name. */
const MAX_ZONE_LABELS = 5;

/** Ended domains do not come back: a name that is registered or transferred again is another domain. */
const USES =
  "SELECT 1 FROM aliases a JOIN domains d ON d.id = a.domain_id AND d.status NOT IN ('gone', 'transferred_out')";

const ANSWERED = '(t.failures = 0 AND t.checked_at IS NOT NULL)';

const { stateOf: toAlias } = mappingOf(AliasTable, ['domain_id', 'name', 'target', 'addresses']);
const { stateOf: toTargetState } = mappingOf(AliasTargetTable, ['error', 'failing_since', 'checked_at']);

type StatusRow = AliasRow & Pick<AliasTargetRow, 'error' | 'failing_since' | 'checked_at'> & { known: string | null };

const STATUSES = `SELECT a.domain_id, a.name, a.target, a.addresses, t.target AS known, t.error, t.failing_since, t.checked_at
  FROM aliases a LEFT JOIN alias_targets t ON t.target = a.target WHERE a.domain_id = ?`;

export class SqlAliasReader implements AliasReader {
  constructor(private readonly database: Queries) {}

  async hasDue(at: Date): Promise<boolean> {
    const [row] = await this.database.query<{ due: number }>(
      'SELECT EXISTS (SELECT 1 FROM aliases WHERE due_at <= ?) + EXISTS (SELECT 1 FROM alias_targets WHERE due_at <= ?) AS due',
      [at.getTime(), at.getTime()],
    );
    return (row?.due ?? 0) > 0;
  }

  async dueAliases(at: Date, limit: number): Promise<readonly Alias[]> {
    const sql = `SELECT ${COLUMNS} FROM aliases${forceIndex('aliases_due')} WHERE due_at <= ? ORDER BY due_at LIMIT ?`;
    return (await this.database.query<AliasRow>(sql, [at.getTime(), limit])).map(toAlias);
  }

  async dueTargets(
    at: Date,
    limit: number,
    group: TargetGroup,
  ): Promise<readonly (AliasTarget & { readonly isUsed: boolean })[]> {
    const isInGroup = group === 'answered' ? ANSWERED : `NOT ${ANSWERED}`;
    const sql = `SELECT ${columnsOf(AliasTargetTable, { prefix: 't.' })}, EXISTS (${USES} WHERE a.target = t.target) AS used
      FROM alias_targets t${forceIndex('alias_targets_due')} WHERE t.due_at <= ? AND ${isInGroup} ORDER BY t.due_at LIMIT ?`;
    const rows = await this.database.query<AliasTargetRow & { used: number }>(sql, [at.getTime(), limit]);
    return rows.map((row) => ({ ...stateOf(AliasTargetTable, row), isUsed: row.used === 1 }));
  }

  targets(targets: readonly string[]): Promise<readonly AliasTarget[]> {
    return targetsIn(this.database, targets);
  }

  async targetAt(ownerName: string): Promise<string | undefined> {
    const labels = ownerName.split('.');
    const places: (readonly [zoneName: string, names: readonly [string, ...string[]]])[] = [];
    for (let count = Math.min(labels.length, MAX_ZONE_LABELS); count >= 2; count -= 1) {
      const name = labels.slice(0, -count).join('.') || ROOT;
      places.push([labels.slice(-count).join('.'), [name, ...wildcardsOf(name)]]);
    }
    if (places.length === 0) return undefined;
    const zoneNames = places.map(([zoneName]) => zoneName);
    const isPlace = places.map(([, names]) => `(d.live_name = ? AND a.name IN (${placeholders(names)}))`);
    const rows = await this.database.query<AliasRow & { zone_name: string }>(
      `SELECT a.domain_id, a.name, a.target, d.live_name AS zone_name FROM domains d JOIN aliases a ON a.domain_id = d.id
        WHERE d.live_name IN (${placeholders(zoneNames)}) AND (${isPlace.join(' OR ')})`,
      [...zoneNames, ...places.flatMap(([zoneName, names]) => [zoneName, ...names])],
    );
    for (const [zoneName, [name, ...wildcards]] of places) {
      const found = new Map(rows.filter((row) => row.zone_name === zoneName).map((row) => [row.name, row]));
      const own = found.get(name);
      if (own) return own.target;
      const wildcard = wildcards.find((each) => found.has(each)) ?? '';
      const { domain_id: domainId, target } = found.get(wildcard) ?? {};
      if (domainId !== undefined && !(await hasNameIn(this.database, domainId, topBelow(wildcard, name))))
        return target;
    }
    return undefined;
  }

  async statuses(domainId: string, names?: readonly string[]): Promise<readonly AliasStatus[]> {
    if (names?.length === 0) return [];
    const isNamed = names ? ` AND a.name IN (${placeholders(names)})` : '';
    const rows = await this.database.query<StatusRow>(`${STATUSES}${isNamed} ORDER BY a.name`, [
      domainId,
      ...(names ?? []),
    ]);
    return rows.map(toStatus);
  }

  async failing(domainId: string, limit: number): Promise<readonly AliasStatus[]> {
    const sql = `${STATUSES} AND t.error IS NOT NULL ORDER BY a.name LIMIT ?`;
    return (await this.database.query<StatusRow>(sql, [domainId, limit])).map(toStatus);
  }
}

export class SqlAliasRepository implements AliasRepository {
  private readonly queries: Queries;

  constructor(private readonly manager: EntityManager) {
    this.queries = { query: (sql, parameters = []) => manager.query(sql, [...parameters]) };
  }

  async find(domainId: string, names: readonly string[]): Promise<readonly Alias[]> {
    return aliasesIn(this.queries, domainId, names);
  }

  findTargets(targets: readonly string[]): Promise<readonly AliasTarget[]> {
    return targetsIn(this.queries, targets);
  }

  async setAddresses(
    domainId: string,
    aliases: readonly Pick<Alias, 'name' | 'addresses'>[],
    { serial, at }: { readonly serial: number; readonly at: Date },
  ): Promise<void> {
    const sql = 'UPDATE aliases SET addresses = ?, due_at = NULL WHERE domain_id = ? AND name = ?';
    const places = [{ domainId, names: aliases.map(({ name }) => name), serial }];
    await keepAddressChanges(this.manager, places, at, () =>
      sendStatements(
        aliases.map(
          ({ name, addresses }) =>
            () =>
              this.manager.query(sql, [JSON.stringify(addresses), domainId, name]),
        ),
      ),
    );
  }

  async setDue(domainId: string, names: readonly string[], at: Date | null): Promise<void> {
    if (names.length === 0) return;
    const sql = `UPDATE aliases SET due_at = ? WHERE domain_id = ? AND name IN (${placeholders(names)})`;
    await this.manager.query(sql, [at?.getTime() ?? null, domainId, ...names]);
  }

  async addTargets(targets: readonly AliasTarget[]): Promise<void> {
    const known = await this.findTargets(targets.map(({ target }) => target));
    const names = new Set(known.map(({ target }) => target));
    await insertRows(
      this.manager,
      AliasTargetTable,
      targets.filter(({ target }) => !names.has(target)).map((target) => rowOf(AliasTargetTable, target)),
    );
  }

  async saveTargets(targets: readonly AliasTarget[]): Promise<void> {
    const sql =
      'UPDATE alias_targets SET answers = ?, error = ?, failing_since = ?, failures = ?, checked_at = ?, due_at = ? WHERE target = ?';
    await sendStatements(
      targets
        .map((target) => rowOf(AliasTargetTable, target))
        .map((row) => () => {
          const { answers, error, failing_since, failures, checked_at, due_at, target } = row;
          return this.manager.query(sql, [answers, error, failing_since, failures, checked_at, due_at, target]);
        }),
    );
  }

  async removeUnused(targets: readonly string[]): Promise<void> {
    await this.manager.query(
      `DELETE FROM alias_targets WHERE target IN (${placeholders(targets)}) AND NOT EXISTS (${USES} WHERE a.target = alias_targets.target)`,
      [...targets],
    );
  }

  async makeDue(target: string, at: Date, limit: number, after?: AliasPosition): Promise<AliasPosition | undefined> {
    const { domainId = '', name = '' } = after ?? {};
    const rows = await this.manager.query<AliasRow[]>(
      `SELECT domain_id, name FROM aliases WHERE target = ? AND domain_id >= ? AND (domain_id > ? OR name > ?)
        ORDER BY domain_id, name LIMIT ?`,
      [target, domainId, domainId, name, limit],
    );
    const last = rows.at(-1);
    if (!last) return undefined;
    await this.manager.query(
      `UPDATE aliases SET due_at = ? WHERE target = ? AND domain_id >= ? AND (domain_id > ? OR name > ?)
        AND (domain_id < ? OR (domain_id = ? AND name <= ?))`,
      [at.getTime(), target, domainId, domainId, name, last.domain_id, last.domain_id, last.name],
    );
    return rows.length < limit ? undefined : { domainId: last.domain_id, name: last.name };
  }
}

/** The ALIAS records of a domain at some owner names. */
async function aliasesIn(queries: Queries, domainId: string, names: readonly string[]): Promise<readonly Alias[]> {
  if (names.length === 0) return [];
  const sql = `SELECT ${COLUMNS} FROM aliases WHERE domain_id = ? AND name IN (${placeholders(names)})`;
  return (await queries.query<AliasRow>(sql, [domainId, ...names])).map(toAlias);
}

async function targetsIn(queries: Queries, targets: readonly string[]): Promise<readonly AliasTarget[]> {
  if (targets.length === 0) return [];
  const sql = `${TARGETS} WHERE target IN (${placeholders(targets)})`;
  return (await queries.query<AliasTargetRow>(sql, [...targets])).map((row) => stateOf(AliasTargetTable, row));
}

function toStatus(row: StatusRow): AliasStatus {
  return { ...toAlias(row), state: row.known === null ? undefined : toTargetState(row) };
}
