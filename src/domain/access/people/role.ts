import { KEY_ACTIONS, type KeyAction, type KeyLimits } from '../key-limits';

export const ROLES = ['owner', 'manager', 'dns-editor', 'billing', 'viewer'] as const;
/** What a user may do in an account. Only owners manage keys and users. */
export type Role = (typeof ROLES)[number];

/** The actions of each role, the same that limit API keys. */
export const ROLE_ACTIONS: Readonly<Record<Role, readonly KeyAction[]>> = {
  owner: KEY_ACTIONS,
  manager: KEY_ACTIONS,
  'dns-editor': ['read', 'write'],
  billing: ['read', 'renew'],
  viewer: ['read'],
};

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'owner',
  manager: 'manager',
  'dns-editor': 'DNS editor',
  billing: 'billing',
  viewer: 'viewer',
};

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** What limits a user with the role, as limits do for a key; undefined for owners. */
export function limitsOfRole(role: Role): KeyLimits | undefined {
  return role === 'owner' ? undefined : { actions: ROLE_ACTIONS[role] };
}
