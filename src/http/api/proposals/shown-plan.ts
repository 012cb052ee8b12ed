import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import { majorUnits, type Money } from '../../../domain/shared/money';

/** A plan as the API writes it. What would be stored has its members in camel case, and money in minor units. */
export function shownPlan(plan: ProposalPlan): object {
  const { changes } = plan;
  if (!Array.isArray(changes)) return plan;
  const shown = (changes as readonly Change[]).map((change) => ({
    ...change,
    before: shownFact(change.before),
    after: shownFact(change.after),
  }));
  return { ...plan, changes: shown };
}

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

function shownFact(fact: unknown): unknown {
  if (Array.isArray(fact)) return fact.map(shownFact);
  if (typeof fact !== 'object' || fact === null) return fact;
  if (isMoney(fact)) return { amount: majorUnits(fact), currency: fact.currency };
  return Object.fromEntries(Object.entries(fact).map(([name, value]) => [snakeCase(name), shownFact(value)]));
}

function isMoney(fact: object): fact is Money {
  return 'minor' in fact && 'currency' in fact;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
