import { normalizeTag, parseTags, TAG_EXPECTATION } from '../../shared/tags';
import { ValidationError } from '../../shared/validation-error';
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

/** A role in an account, for all domains or for those that have one of some tags. */
export interface UserRights {
  readonly role: Role;
  /** Null: all domains. */
  readonly tags: readonly string[] | null;
}

/** Whether two people or keys may have the same domain, by the tags that they are limited to. Null: to none. */
export function mayShareDomains(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return !one || !other || one.some((tag) => other.includes(tag));
}

/** By which domains come to the account and leave it: for no one who is limited to tags. */
const ACCOUNT_ACTIONS: readonly KeyAction[] = ['register', 'transfer'];

/** What limits a user, as limits do for a key; undefined for owners. */
export function limitsOfUser({ role, tags }: UserRights): KeyLimits | undefined {
  if (role === 'owner') return undefined;
  const actions = ROLE_ACTIONS[role];
  return tags ? { tags, actions: actions.filter((action) => !ACCOUNT_ACTIONS.includes(action)) } : { actions };
}

/** Whether the user may unlock, transfer out and delete domains. */
export function mayReleaseDomains(
  { role, tags }: UserRights,
  account: { readonly membersMayTransfer: boolean },
): boolean {
  return role === 'owner' || (role === 'manager' && tags === null && account.membersMayTransfer);
}

/** @param given without tags, the role is for all domains @throws ValidationError for invalid tags, or for tags of an owner */
export function parseUserRights(role: Role, given: readonly string[] | null): UserRights {
  if (given?.some((text) => normalizeTag(text) === undefined)) throw ValidationError.of('tags', TAG_EXPECTATION);
  const tags = parseTags(given ?? []);
  if (tags.length === 0) return { role, tags: null };
  if (role === 'owner') throw ValidationError.of('tags', 'must be empty for an owner, who has all domains');
  return { role, tags };
}

/** `DNS editor for domains tagged blog, shop` */
export function describeUserRights({ role, tags }: UserRights): string {
  return `${ROLE_LABELS[role]}${tags ? ` for domains tagged ${tags.join(', ')}` : ''}`;
}
