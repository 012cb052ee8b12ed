import { followDelegation } from '../../domain/dns/delegation/apex-ns';
import { ROOT } from '../../domain/dns/records/record-name';
import type { DomainState } from '../../domain/registration/domain';
import { isZoneServed } from '../../domain/registration/domain-status';
import type { DomainRepository } from '../ports/registration/domain-repository';
import type { ZoneRepository, ZoneWrite } from '../ports/dns/zone-repository';

export interface PublicationStores {
  readonly domains: Pick<DomainRepository, 'scheduleBelow'>;
  readonly zones: Pick<ZoneRepository, 'lock' | 'recordsAt' | 'apply' | 'changeCatalog'>;
}

/**
 * Raises the version of the domain's zone if the delegation changed, or if the zone is served from now on or no longer; in
 * that case it also raises the catalog's version, and makes zones below due, which are delegated by another zone then. Records that repeat the delegation follow it in the same version. Call it in the unit
 * of work that saves the domain. @param newId of a record
 */
export async function raisePublishedVersions(
  { domains, zones }: PublicationStores,
  before: DomainState,
  after: DomainState,
  by: ZoneWrite['by'],
  newId: () => string,
): Promise<void> {
  const isCatalogChanged = isZoneServed(before) !== isZoneServed(after);
  if (isCatalogChanged || before.nameservers.join() !== after.nameservers.join()) {
    const { id: domainId } = after;
    const zone = await zones.lock(domainId);
    const atApex = (await zones.recordsAt([{ domainId, names: [ROOT] }])).get(domainId) ?? [];
    const delegation = { before: before.nameservers, after: after.nameservers };
    const change = followDelegation(atApex, delegation, newId, by.at);
    if (zone) await zones.apply([{ zone, change, by, nameserversBefore: before.nameservers }]);
  }
  if (!isCatalogChanged) return;
  await zones.changeCatalog({
    domainId: after.id,
    zoneName: after.name,
    isMember: isZoneServed(after),
    at: by.at,
  });
  await domains.scheduleBelow(after, after.updatedAt);
}
