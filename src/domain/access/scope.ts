export const SCOPES = ['READ', 'WRITE', 'ADMIN'] as const;
export type Scope = (typeof SCOPES)[number];
export const DEFAULT_SCOPE: Scope = 'ADMIN';

/** A higher scope includes all lower scopes. */
export function includesScope(granted: Scope, required: Scope): boolean {
  return SCOPES.indexOf(granted) >= SCOPES.indexOf(required);
}

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
