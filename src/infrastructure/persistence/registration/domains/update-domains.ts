import type { EntityManager } from 'typeorm';
import type { DomainRow } from '../registration-tables';

/** Sets a column that is no part of a domain's state, in one statement. */
export async function updateDomains(
  manager: EntityManager,
  column: 'renewal_price' | 'health_rank' | 'health_checked_at',
  values: readonly (readonly [id: DomainRow['id'], value: number])[],
): Promise<void> {
  if (values.length === 0) return;
  await manager.query(
    `UPDATE domains SET ${column} = CASE id ${values.map(() => 'WHEN ? THEN ?').join(' ')} END WHERE id IN (${values.map(() => '?').join(', ')})`,
    [...values.flat(), ...values.map(([id]) => id)],
  );
}
