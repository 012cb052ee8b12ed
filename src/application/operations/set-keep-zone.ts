import type { Actor } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { domainChanged } from '../audit/domain-audit';
import { raisePublishedVersions } from '../publishing/raise-published-versions';
import type { Stores } from '../ports/storage/unit-of-work';

interface KeepZoneChange {
  readonly keepZone: boolean;
  readonly actor: Actor;
  readonly at: Date;
  /** In the time in which domains live. */
  readonly now: Date;
  readonly newId: () => string;
}

/** Sets whether the zone stays when the locked domain is deleted or transferred out. Does nothing if it is set already. */
export async function setKeepZone(
  { audit, domains, zones }: Pick<Stores, 'audit' | 'domains' | 'zones'>,
  domain: Domain,
  { keepZone, now, newId, ...by }: KeepZoneChange,
): Promise<void> {
  if (keepZone === domain.keepsZone) return;
  domain.assertAllows('keep the zone');
  const before = domain.toState();
  domain.setKeepZone(keepZone, now);
  await domains.save(domain);
  const after = domain.toState();
  await raisePublishedVersions({ domains, zones }, before, after, by, newId);
  await audit.append(domainChanged({ ...by, action: 'domain.keep_zone_changed', before, after }));
}
