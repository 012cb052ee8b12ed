import type { ProposalPlan } from './proposal';

/**
 * Members of plans that differ although a write does the same: times, ids (`subject` is that of what is created), the version of the
 * zone as a whole, and warnings, which tell each only of records that they may see.
 */
const WITHOUT_EFFECT = new Set([
  'id',
  'subject',
  'version',
  'warnings',
  // Of the API, and of stored states.
  'created_at',
  'updated_at',
  'expires_at',
  'createdAt',
  'updatedAt',
  'expiresAt',
]);

/** Whether two plans change the same, at the same cost. */
export function hasSameEffect(one: ProposalPlan, other: ProposalPlan): boolean {
  return planEffect(one) === planEffect(other);
}

/** Whether two plans change the same, whatever it costs. */
export function changesTheSame(one: ProposalPlan, other: ProposalPlan): boolean {
  return planEffect(one, PRICES) === planEffect(other, PRICES);
}

/** What a plan changes, as a text: the same for plans that change the same. */
export function planEffect(plan: ProposalPlan, without = new Set<string>()): string {
  return JSON.stringify(plan, (name, value: unknown) =>
    WITHOUT_EFFECT.has(name) || without.has(name) ? undefined : value,
  );
}

const PRICES = new Set(['cost', 'price']);
