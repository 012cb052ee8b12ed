import { createHash } from 'node:crypto';
import type { ProposalPlan } from './proposal';

/** `effect`: what a plan changes, and what that costs; `changes`: whatever it costs. */
export type PlanAspect = 'effect' | 'changes';

/**
 * Members of plans that differ although a write does the same: times, ids (`subject` is that of what is created), the version of the
 * zone as a whole, and warnings, which tell each only of records that they may see.
 */
const WITHOUT_EFFECT = [
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
];

/** Members of plans, at any depth, that do not count. */
export const DISREGARDED: Readonly<Record<PlanAspect, ReadonlySet<string>>> = {
  effect: new Set(WITHOUT_EFFECT),
  changes: new Set([...WITHOUT_EFFECT, 'cost', 'price']),
};

/** Whether two plans change the same, at the same cost. */
export function hasSameEffect(one: ProposalPlan, other: ProposalPlan): boolean {
  return planDigest(one, 'effect') === planDigest(other, 'effect');
}

/** Whether two plans change the same, whatever it costs. */
export function changesTheSame(one: ProposalPlan, other: ProposalPlan): boolean {
  return planDigest(one, 'changes') === planDigest(other, 'changes');
}

/** The same for plans that change the same. A plan that was too long to be stored as a whole has it in `whole`. */
export function planDigest(plan: ProposalPlan, aspect: PlanAspect): string {
  const { whole } = plan as { readonly whole?: Readonly<Record<PlanAspect, string>> };
  if (whole) return whole[aspect];
  const disregarded = DISREGARDED[aspect];
  const text = JSON.stringify(plan, (name, value: unknown) => (disregarded.has(name) ? undefined : value));
  return createHash('sha256').update(text).digest('base64url');
}
