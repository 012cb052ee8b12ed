import { followDelegation } from '../../domain/dns/apex-ns';
import { ROOT } from '../../domain/dns/records/record-name';
import type { DomainState } from '../../domain/registration/domain';
import { isServed } from '../../domain/registration/domain-status';
import type { ZoneRepository, ZoneSignature } from '../ports/dns/zone-repository';

/**
 * Raises the version of the domain's zone if the delegation changed, or if the zone is served from now on or no longer; in
 * that case it also raises the catalog's version. Records that repeat the delegation follow it in the same version. Call it in the unit
 * of work that saves the domain. @param newId of a record
 */
export async function raisePublishedVersions(
  zones: Pick<ZoneRepository, 'lock' | 'recordsAt' | 'apply' | 'changeCatalog'>,
  before: DomainState,
  after: DomainState,
  by: ZoneSignature,
  newId: () => string,
): Promise<void> {
  const isCatalogChanged = isServed(before.status) !== isServed(after.status);
  if (isCatalogChanged || before.nameservers.join() !== after.nameservers.join()) {
    const { id: domainId } = after;
    const zone = await zones.lock(domainId);
    const atApex = (await zones.recordsAt([{ domainId, names: [ROOT] }])).get(domainId) ?? [];
    const delegation = { before: before.nameservers, after: after.nameservers };
    const change = followDelegation(atApex, delegation, newId, by.at);
    if (zone) await zones.apply([{ zone, change, by, nameserversBefore: before.nameservers }]);
  }
  if (isCatalogChanged)
    await zones.changeCatalog({
      domainId: after.id,
      zoneName: after.name,
      isMember: isServed(after.status),
      at: by.at,
    });
}
