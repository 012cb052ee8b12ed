import { SERVICE } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { domainChanged } from '../audit/domain-audit';
import type { Stores } from '../ports/storage/unit-of-work';
import type { Log } from '../ports/system';
import { raisePublishedVersions } from './raise-published-versions';

interface Withdrawal {
  /** In the time in which domains live. */
  readonly now: Date;
  readonly at: Date;
  readonly newId: () => string;
  readonly log: Log;
}

/**
 * Stops serving the zone that another account hosts under a name that a registry has confirmed to be this account's. Its records
 * stay. Call it in the unit of work that confirms the name, before that saves it: only one of them can have the name.
 */
export async function withdrawOthersZone(
  { audit, domains, zones }: Pick<Stores, 'audit' | 'domains' | 'zones'>,
  { id, name, accountId }: Domain,
  { now, at, newId, log }: Withdrawal,
): Promise<void> {
  const other = await domains.lockHosted(name);
  if (!other || other.id === id) return;
  const before = other.toState();
  other.withdraw(now);
  await domains.save(other);
  const after = other.toState();
  await raisePublishedVersions({ domains, zones }, before, after, { actor: SERVICE, at }, newId);
  await audit.append(domainChanged({ at, actor: SERVICE, action: 'zone.withdrawn', before, after }));
  log.warn(
    { domainId: other.id, accountId: other.accountId, name: name.value, registeredBy: accountId },
    'the zone of an account is no longer served, because another account has registered its name',
  );
}
