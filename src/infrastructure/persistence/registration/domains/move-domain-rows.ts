import type { EntityManager } from 'typeorm';

export interface MovedRows {
  readonly domainId: string;
  readonly accountId: string;
}

/** Rows beside the domain's own that have its account, and the zone's, whose shown history begins now. */
export async function moveDomainRows(manager: EntityManager, rows: MovedRows): Promise<void> {
  const { domainId, accountId } = rows;
  await manager.query('UPDATE zone_delegations SET account_id = ? WHERE domain_id = ?', [accountId, domainId]);
  // Who connected it is a person of the former account.
  await manager.query("UPDATE connected_services SET account_id = ?, connected_by = 'service' WHERE domain_id = ?", [
    accountId,
    domainId,
  ]);
  await manager.query('UPDATE registry_differences SET account_id = ? WHERE domain_id = ?', [accountId, domainId]);
  await manager.query('DELETE FROM desired_states WHERE domain_id = ?', [domainId]);
  await manager.query('UPDATE zones SET state_owner = NULL, history_from = version WHERE domain_id = ?', [domainId]);
}
