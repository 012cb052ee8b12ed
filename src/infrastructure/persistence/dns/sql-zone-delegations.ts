import type { EntityManager } from 'typeorm';
import type { ZoneDelegationRepository } from '../../../application/ports/dns/other-nameservers';
import type { ZoneDelegation } from '../../../domain/dns/delegation/delegation';
import { rowOf, stateOf } from '../database/table';
import { ZoneDelegationTable } from './dns-tables';

export class SqlZoneDelegationRepository implements ZoneDelegationRepository {
  constructor(private readonly manager: EntityManager) {}

  async find(domainId: string): Promise<ZoneDelegation | undefined> {
    const row = await this.manager.findOneBy(ZoneDelegationTable, { domain_id: domainId });
    return row ? stateOf(ZoneDelegationTable, row) : undefined;
  }

  async save(delegation: ZoneDelegation): Promise<void> {
    const row = rowOf(ZoneDelegationTable, delegation);
    const { domain_id, ...values } = row;
    const { affected } = await this.manager.update(ZoneDelegationTable, { domain_id }, values);
    if (affected === 0) await this.manager.insert(ZoneDelegationTable, row);
  }

  async forget(domainId: string): Promise<void> {
    await this.manager.delete(ZoneDelegationTable, { domain_id: domainId });
  }
}
