import { dsRecordContract } from './ds-record-contract';
import { agingContract } from './aging-contract';
import { LifecycleScenario, type LifecycleOptions, type LifecycleUnderTest } from './lifecycle-scenario';
import { listingContract } from './listing-contract';
import { lostResponseContract } from './lost-response-contract';
import { readLagContract } from './read-lag-contract';
import { transferContract } from './transfer-contract';
import { transferInContract } from './transfer-in-contract';
import { unsupportedContract } from './unsupported-contract';

/** Rules that need features or controls which a vendor may lack. */
export function lifecycleContract(subject: () => LifecycleUnderTest, options: LifecycleOptions): void {
  const scenario = new LifecycleScenario(subject, options);
  agingContract(scenario);
  transferContract(scenario);
  transferInContract(scenario);
  listingContract(scenario);
  dsRecordContract(scenario);
  lostResponseContract(scenario);
  readLagContract(scenario);
  unsupportedContract(scenario, options);
}
