import { ROLE_LABELS, ROLES, type Role } from '../../../domain/access/people/role';

/** What each role may do. */
export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'Can do everything, manage API keys and users, and let domains leave the account.',
  manager: 'Can register, renew and change domains and DNS records.',
  'dns-editor': 'Can change DNS records.',
  billing: 'Can renew and restore domains.',
  viewer: 'Can see everything and change nothing.',
};
export const ROLE_CHOICES = ROLES.toReversed().map((role) => ({
  value: role,
  label: ROLE_LABELS[role],
  hint: ROLE_DESCRIPTIONS[role],
}));
