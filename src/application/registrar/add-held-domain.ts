import type { Domain } from '../../domain/registration/domain';
import type { LifecyclePlan } from '../operations/lifecycle-plan';
import type { Stores } from '../ports/storage/unit-of-work';
import type { Log } from '../ports/system';
import { addRegistration, recheckSigning, type Addition } from '../publishing/add-registration';
import { withdrawOthersZone } from '../publishing/withdraw-zone';

/** Stores a domain that the registry holds for us, as `addRegistration`, and schedules its first check and that of its DS records. */
export async function addHeldDomain(
  stores: Pick<Stores, 'audit' | 'domains' | 'zones' | 'zoneSignings'>,
  domain: Domain,
  { plan, log, now, ...addition }: Addition & { readonly plan: LifecyclePlan; readonly log: Log; readonly now: Date },
): Promise<void> {
  plan.schedule(domain);
  await withdrawOthersZone(stores, domain, { ...addition, now, log });
  await addRegistration(stores, domain, addition);
  await recheckSigning(stores, domain, now);
}
