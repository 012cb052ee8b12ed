import { agingContract } from './aging-contract';
import { departureContract } from './departure-contract';
import { LifeScene, type LifeOptions, type LifeUnderTest } from './life-scene';
import { lostAnswerContract } from './lost-answer-contract';

/** What time and other registrars do to a name, for vendors whose test system lets a test bring it about. */
export function lifeContract(subject: () => LifeUnderTest, options: LifeOptions): void {
  const life = new LifeScene(subject, options);
  agingContract(life);
  departureContract(life);
  lostAnswerContract(life);
}
