import type { Role } from '../people/role';

export const SECOND_FACTOR_RULES = ['none', 'owners', 'everyone'] as const;
/** Who must have a second factor. */
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** Whether sign-in asks the user for a second factor. */
export function hasSecondFactor({ totp, passkeys }: { readonly totp: unknown; readonly passkeys: readonly unknown[] }) {
  return totp !== undefined || passkeys.length > 0;
}

export function needsSecondFactor(rule: SecondFactorRule, role: Role): boolean {
  return rule === 'everyone' || (rule === 'owners' && role === 'owner');
}
