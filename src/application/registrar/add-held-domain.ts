import type { Actor } from '../../domain/access/actor';
import type { Domain } from '../../domain/registration/domain';
import { isServed } from '../../domain/registration/domain-status';
import type { LifecyclePlan } from '../operations/lifecycle-plan';
import type { Stores } from '../ports/storage/unit-of-work';

/** Adds a domain that the registry holds for us, with an empty zone, and schedules its first check. Within a unit of work. */
export async function addHeldDomain(
  { domains, zones }: Pick<Stores, 'domains' | 'zones'>,
  domain: Domain,
  { plan, ...by }: { readonly plan: LifecyclePlan; readonly actor: Actor; readonly at: Date },
): Promise<void> {
  plan.schedule(domain);
  await domains.add(domain);
  await zones.create(domain.id, by);
  if (isServed(domain.status))
    await zones.changeCatalog({ domainId: domain.id, zoneName: domain.toState().name, isMember: true, at: by.at });
}
