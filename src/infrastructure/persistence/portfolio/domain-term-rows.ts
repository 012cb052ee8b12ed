import type { EntityManager } from 'typeorm';
import { termsOf } from '../../../domain/portfolio/domain-terms';
import type { DomainState } from '../../../domain/registration/domain';

/** Stores the terms of a new domain. */
export async function insertTerms(manager: EntityManager, domain: DomainState): Promise<void> {
  await insert(manager, domain, termsOf(domain));
}

/**
 * Makes the stored terms those of the domain, in the transaction that changes it from `before`. Also corrects terms that an older
 * version of the service left behind when it changed the domain.
 */
export async function updateTerms(
  manager: EntityManager,
  before: DomainState | undefined,
  after: DomainState,
): Promise<void> {
  const rows = await manager.query<{ term: string }[]>('SELECT term FROM domain_terms WHERE domain_id = ?', [after.id]);
  const stored = new Set(rows.map(({ term }) => term));
  const former = before ? termsOf(before) : [];
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
