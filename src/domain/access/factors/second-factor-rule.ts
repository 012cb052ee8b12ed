import type { Role } from '../people/role';

export const SECOND_FACTOR_RULES = ['none', 'owners', 'everyone'] as const;
/** Who must have a second factor. */
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

export function needsSecondFactor(rule: SecondFactorRule, role: Role): boolean {
  return rule === 'everyone' || (rule === 'owners' && role === 'owner');
}
