import type { DomainState } from '../../domain/registration/domain';
import { isServed } from '../../domain/registration/domain-status';
import type { ZoneRepository, ZoneSignature } from '../ports/dns/zone-repository';

/**
 * Raises the version of the domain's zone if the delegation changed, or if the zone is served from now on or no longer; in
 * that case it also raises the catalog's version. Call it in the unit of work that saves the domain.
 */
export async function raisePublishedVersions(
  zones: Pick<ZoneRepository, 'raiseVersion' | 'changeCatalog'>,
  before: DomainState,
  after: DomainState,
  by: ZoneSignature,
): Promise<void> {
  const isCatalogChanged = isServed(before.status) !== isServed(after.status);
  if (isCatalogChanged || before.nameservers.join() !== after.nameservers.join())
    await zones.raiseVersion(after.id, before.nameservers, by);
  if (isCatalogChanged)
    await zones.changeCatalog({
      domainId: after.id,
      zoneName: after.name,
      isMember: isServed(after.status),
      at: by.at,
    });
}
