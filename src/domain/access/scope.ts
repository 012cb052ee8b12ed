export const SCOPES = ['READ', 'WRITE', 'ADMIN'] as const;
export type Scope = (typeof SCOPES)[number];
export const DEFAULT_SCOPE: Scope = 'ADMIN';

/** A higher scope may do all that a lower one may. */
export function includesScope(held: Scope, required: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(required);
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
