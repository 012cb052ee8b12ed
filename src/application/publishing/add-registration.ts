import type { Domain } from '../../domain/registration/domain';
import { isZoneServed } from '../../domain/registration/domain-status';
import type { ZoneVersion } from '../ports/dns/zone-repository';
import type { Stores } from '../ports/storage/unit-of-work';
import { raisePublishedVersions } from './raise-published-versions';

export interface Addition extends Pick<ZoneVersion, 'actor' | 'at'> {
  /** The name, if the account hosted its zone until now: the zone becomes the domain's, with its history and keys. */
  readonly hosted: Domain | undefined;
  readonly newId: () => string;
}

/** Stores a domain with an empty zone, or with the one that the account hosts. Within a unit of work. */
export async function addRegistration(
  { domains, zones }: Pick<Stores, 'domains' | 'zones'>,
  domain: Domain,
  { hosted, newId, ...by }: Addition,
): Promise<void> {
  if (hosted) {
    await domains.save(domain);
    return raisePublishedVersions({ domains, zones }, hosted.toState(), domain.toState(), by, newId);
  }
  await domains.add(domain);
  await zones.create(domain.id, by);
  const after = domain.toState();
  if (!isZoneServed(after)) return;
  await zones.changeCatalog({ domainId: domain.id, zoneName: after.name, isMember: true, at: by.at });
  await domains.scheduleBelow(after, after.updatedAt);
}

/** The DS records of a signed zone are at the registry from now on, or no longer: they are compared at once. */
export async function recheckSigning(
  { zoneSignings }: Pick<Stores, 'zoneSignings'>,
  { id }: Domain,
  now: Date,
): Promise<void> {
  const signing = await zoneSignings.lock(id);
  if (!signing) return;
  signing.schedule(now);
  await zoneSignings.save(signing);
}
