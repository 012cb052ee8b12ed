import { agingContract } from './aging-contract';
import { deletionContract } from './deletion-contract';
import { LifecycleScenario, type LifecycleOptions, type LifecycleUnderTest } from './lifecycle-scenario';
import { lostAnswerContract } from './lost-answer-contract';

/** What time and other registrars do to a name, for vendors whose test system lets a test bring it about. */
export function lifecycleContract(subject: () => LifecycleUnderTest, options: LifecycleOptions): void {
  const life = new LifecycleScenario(subject, options);
  agingContract(life);
  deletionContract(life);
  lostAnswerContract(life);
}
