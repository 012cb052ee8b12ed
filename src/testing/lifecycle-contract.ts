import { agingContract } from './aging-contract';
import { LifecycleScenario, type LifecycleOptions, type LifecycleUnderTest } from './lifecycle-scenario';
import { lostResponseContract } from './lost-response-contract';
import { transferContract } from './transfer-contract';

/** Rules about time, transfers and lost responses, for vendors whose test system has the controls. */
export function lifecycleContract(subject: () => LifecycleUnderTest, options: LifecycleOptions): void {
  const scenario = new LifecycleScenario(subject, options);
  agingContract(scenario);
  transferContract(scenario);
  lostResponseContract(scenario);
}
