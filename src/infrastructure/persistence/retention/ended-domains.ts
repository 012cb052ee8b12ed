import type { EntityManager } from 'typeorm';
import type { Removal } from '../../../application/ports/storage/expired-rows';
import type { AuditFacts } from '../../../domain/access/audit-entry';
import type { Database } from '../database/database';
import { placeholders } from '../database/table';
import { deleteTerms } from '../portfolio/domain-term-rows';
import { updateDomainCounts, type CountedRow } from '../registration/domains/domain-counts';
import { deleteNameGrams, type NamedRow } from '../registration/domains/pages/domain-name-search';
import { EMPTY_REGISTRANT } from '../registration/domains/domain-codecs';
import { deleteSome } from './delete-some';

/** Domains per batch; a batch deletes more of the rows that depend on them. */
const ROWS_FOR_A_DOMAIN = 30;

type Locks = Pick<Database, 'forUpdate' | 'skipLocked'>;

interface AuditFactsRow {
  readonly id: string;
  readonly facts_before: string;
  readonly facts_after: string;
}

/** Erases the registrants of ended domains from the domains, their audit entries and their operations. */
export async function erasePersonalData(
  manager: EntityManager,
  locks: Locks,
  before: Date,
  limit: number,
): Promise<Removal> {
  const most = domainsWithin(limit);
  const ended = await endedDomains(manager, locks, { erased: 0, before, limit: most });
  if (ended.length === 0) return { removed: 0, more: false };
  const ids = ended.map(({ id }) => id);
  let budget = limit - ids.length;
  for (const eraseSome of [eraseFromAudit, deleteRegistrantChanges]) {
    budget -= await eraseSome(manager, ids, budget);
    // The rest comes first in the next batch, because these domains are not marked.
    if (budget === 0) return { removed: limit, more: true };
  }
  await manager.query(
    `UPDATE domains SET status = 'gone', registrant = ?, registrant_erased = 1 WHERE id IN (${placeholders(ids)})`,
    [JSON.stringify(EMPTY_REGISTRANT), ...ids],
  );
  await deleteTerms(manager, ids);
  await updateDomainCounts(manager, ended, []);
  return { removed: limit - budget, more: ids.length === most };
}

/** Removes ended domains of which the personal data is erased, with their zones and operations; audit entries have a separate period. */
export async function removeEndedDomains(
  manager: EntityManager,
  locks: Locks,
  before: Date,
  limit: number,
): Promise<Removal> {
  const most = domainsWithin(limit);
  const ended = await endedDomains(manager, locks, { erased: 1, before, limit: most });
  if (ended.length === 0) return { removed: 0, more: false };
  const ids = ended.map(({ id }) => id);
  // Of each domain its own row and its zone's.
  let budget = limit - 2 * ids.length;
  for (const [table, orderBy] of [
    ['domain_health', 'domain_id'],
    ['zone_signing', 'domain_id'],
    ['cds_scans', 'domain_id'],
    ['zone_delegations', 'domain_id'],
    ['zone_publications', 'domain_id'],
    ['connected_services', 'domain_id'],
    ['aliases', 'domain_id, name'],
    ['zone_changes', 'domain_id, version, part'],
    ['derived_changes', 'domain_id, serial, part'],
    ['derived_rrsets', 'domain_id, name, type'],
    ['zone_keys', 'domain_id'],
    ['dns_records', 'domain_id'],
    ['operations', 'domain_id'],
  ] as const) {
    budget -= await deleteSome(manager, {
      table,
      where: `domain_id IN (${placeholders(ids)})`,
      parameters: ids,
      orderBy,
      limit: budget,
    });
    if (budget === 0) return { removed: limit, more: true };
  }
  await manager.query(`DELETE FROM desired_states WHERE domain_id IN (${placeholders(ids)})`, ids);
  await manager.query(`DELETE FROM renewal_prices WHERE domain_id IN (${placeholders(ids)})`, ids);
  await manager.query(`DELETE FROM zones WHERE domain_id IN (${placeholders(ids)})`, ids);
  await manager.query(`DELETE FROM domains WHERE id IN (${placeholders(ids)})`, ids);
  for (const domain of ended) await deleteNameGrams(manager, domain, locks.forUpdate);
  return { removed: limit - budget, more: ids.length === most };
}

/** Oldest end first; excludes domains with an unfinished operation. */
async function endedDomains(
  manager: EntityManager,
  { forUpdate, skipLocked }: Locks,
  { erased, before, limit }: { readonly erased: 0 | 1; readonly before: Date; readonly limit: number },
): Promise<(NamedRow & CountedRow & { readonly id: string })[]> {
  const sql = `SELECT id, account_id, name, status, expires_at, auto_renew FROM domains WHERE registrant_erased = ? AND ended_at <= ?
    AND NOT EXISTS (SELECT 1 FROM operations WHERE operations.domain_id = domains.id AND operations.finished_at IS NULL)
    ORDER BY ended_at LIMIT ?${forUpdate}${skipLocked}`;
  return manager.query(sql, [erased, before.getTime(), limit]);
}

async function eraseFromAudit(manager: EntityManager, domainIds: readonly string[], limit: number): Promise<number> {
  const sql = `SELECT id, facts_before, facts_after FROM audit_log WHERE domain_id IN (${placeholders(domainIds)})
    AND (INSTR(facts_before, '"registrant"') > 0 OR INSTR(facts_after, '"registrant"') > 0) LIMIT ?`;
  const rows = await manager.query<AuditFactsRow[]>(sql, [...domainIds, limit]);
  for (const { id, facts_before, facts_after } of rows) {
    await manager.query('UPDATE audit_log SET facts_before = ?, facts_after = ? WHERE id = ?', [
      withoutRegistrant(facts_before),
      withoutRegistrant(facts_after),
      id,
    ]);
  }
  return rows.length;
}

function deleteRegistrantChanges(manager: EntityManager, domainIds: readonly string[], limit: number): Promise<number> {
  const where = `domain_id IN (${placeholders(domainIds)}) AND INSTR(request, '"registrant"') > 0`;
  return deleteSome(manager, { table: 'operations', where, parameters: domainIds, orderBy: 'domain_id', limit });
}

function withoutRegistrant(facts: string): string {
  const { registrant: _erased, ...others } = JSON.parse(facts) as AuditFacts;
  return JSON.stringify(others);
}

function domainsWithin(limit: number): number {
  return Math.max(1, Math.floor(limit / ROWS_FOR_A_DOMAIN));
}
