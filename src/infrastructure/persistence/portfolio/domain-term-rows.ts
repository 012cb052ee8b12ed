import type { EntityManager } from 'typeorm';
import { nameserverTerm, termsOf } from '../../../domain/portfolio/domain-terms';
import type { DomainState } from '../../../domain/registration/domain';
import type { Queries } from '../database/database';
import { chunks } from '../dns/sql-zone-reader';

/** SQLite limits the parts of a UNION. */
const HOSTS_PER_QUERY = 200;
/** A nameserver may have all domains. */
const ONE_ROW = 'SELECT term FROM domain_terms WHERE term = ? LIMIT 1';

/** Stores the terms of a new domain. */
export async function insertTerms(manager: EntityManager, domain: DomainState): Promise<void> {
  await insert(manager, domain, termsOf(domain));
}

/**
 * Makes the stored terms those of the domain, in the transaction that changes it from `before`. Also corrects terms that an older
 * version of the service left behind when it changed the domain.
 */
export async function updateTerms(manager: EntityManager, before: DomainState, after: DomainState): Promise<void> {
  const rows = await manager.query<{ term: string }[]>('SELECT term FROM domain_terms WHERE domain_id = ?', [after.id]);
  const stored = new Set(rows.map(({ term }) => term));
  const former = termsOf(before);
  const wanted = termsOf(after);
  const surplus = [...new Set([...stored, ...former])].filter((term) => !wanted.includes(term));
  if (surplus.length > 0)
    await manager.query(
      `DELETE FROM domain_terms WHERE account_id = ? AND name = ? AND domain_id = ? AND term IN (${surplus.map(() => '?').join(', ')})`,
      [after.accountId, after.name, after.id, ...surplus],
    );
  await insert(
    manager,
    after,
    wanted.filter((term) => !stored.has(term)),
  );
}

/** Those of `hosts` that a domain of any account has as a nameserver. */
export async function readNameservers(queries: Queries, hosts: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const some of chunks(hosts, HOSTS_PER_QUERY)) {
    const rows = await queries.query<{ term: string }>(
      some.map((_host, index) => `SELECT * FROM (${ONE_ROW}) AS host${index}`).join(' UNION ALL '),
      some.map(nameserverTerm),
    );
    found.push(...rows.map(({ term }) => term.slice(nameserverTerm('').length)));
  }
  return found;
}

/** Of domains whose rows are deleted, or marked as deleted by SQL. */
export async function deleteTerms(manager: EntityManager, domainIds: readonly string[]): Promise<void> {
  await manager.query(`DELETE FROM domain_terms WHERE domain_id IN (${domainIds.map(() => '?').join(', ')})`, [
    ...domainIds,
  ]);
}

async function insert(manager: EntityManager, domain: DomainState, terms: readonly string[]): Promise<void> {
  if (terms.length === 0) return;
  const onDuplicate =
    manager.connection.options.type === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE term = VALUES(term)'
      : 'ON CONFLICT DO NOTHING';
  await manager.query(
    `INSERT INTO domain_terms (account_id, term, name, domain_id) VALUES ${terms.map(() => '(?, ?, ?, ?)').join(', ')} ${onDuplicate}`,
    terms.flatMap((term) => [domain.accountId, term, domain.name, domain.id]),
  );
}
