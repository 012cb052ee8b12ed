import type { KeyAction } from '../../../src/domain/access/key-limits';
import { ROLES, type Role } from '../../../src/domain/access/people/role';
import type { Access } from '../../../src/http/dashboard/dashboard-route';

/** What each role may do, written down a second time. */
export const MAY: Readonly<Record<Role, readonly KeyAction[]>> = {
  owner: ['read', 'write', 'register', 'renew', 'transfer', 'settings'],
  manager: ['read', 'write', 'register', 'renew', 'transfer', 'settings'],
  'dns-editor': ['read', 'write'],
  billing: ['read', 'renew'],
  viewer: ['read'],
};

/** A manager may send these only if an owner has allowed it, because they let a domain leave the account. */
const LETS_GO = new Set([
  'get /domains/:id/auth-code',
  'get /domains/:id/delete',
  'get /domains/:id/release',
  'get /domains/:id/move',
  'post /domains/:id/move',
  'post /domains/:id/release',
  'post /domains/:id/delete',
  'post /domains/:id/auth-code',
  'post /domains/:id/transfer-lock',
  'post /domains/:id/transfer-out/approve',
]);

/** Forms that change nothing, so that `read` is enough. */
export const FORMS_THAT_READ = new Set([
  'post /domains/:id/health',
  'post /notifications',
  'post /register/progress/:operationId',
]);

/** Judged by what the chosen bulk action needs. */
export const BULK_FORMS = ['post /bulk/review', 'post /bulk', 'post /bulk/:jobId/retry', 'post /bulk/:jobId/undo'];

/** Judged by what the proposed change needs, and by who proposed it. */
export const PROPOSAL_FORMS = ['post /proposals/:proposalId/accept', 'post /proposals/:proposalId/withdraw'];

/** The tag to which some people are limited. */
export const TAG = 'shop';

export interface Person {
  readonly role: Role;
  /** Limited to domains with the tag `shop`. */
  readonly isTagged: boolean;
}
export const PEOPLE: readonly (readonly [string, Person])[] = [
  ...ROLES.map((role) => [role, { role, isTagged: false }] as const),
  ...ROLES.flatMap((role) => (role === 'owner' ? [] : [[`${role} for a tag`, { role, isTagged: true }] as const])),
];
export const TAGGED = PEOPLE.filter(([, { isTagged }]) => isTagged);
/** What people who are limited to a tag may never do: by these, domains come to the account and leave it. */
const OF_ACCOUNT = new Set<Access>(['register', 'transfer']);
/** Pages and forms that are about more than a domain, which people who are limited to a tag may not have. */
const FOR_EVERY_DOMAIN = new Set([
  'get /api-keys',
  'get /api-keys/inactive',
  'get /moves',
  'get /moves/:moveId',
  'get /proposals',
  'get /proposals/:proposalId',
  'post /proposals/:proposalId/reject',
  ...PROPOSAL_FORMS,
  'post /domain-views',
  'post /domain-views/delete',
  'post /domains/:id/tags',
  'post /record-templates',
  'get /record-templates/new',
  'post /record-templates/:templateId',
  'post /record-templates/:templateId/delete',
]);

/** Of the dashboard, by its name such as `get /team`. */
export const isAllowed = ({ role, isTagged }: Person, access: Access, route: string): boolean => {
  if (access === 'public' || access === 'signed-in') return true;
  if (access === 'owner') return role === 'owner';
  if (isTagged && (OF_ACCOUNT.has(access) || FOR_EVERY_DOMAIN.has(route))) return false;
  return MAY[role].includes(access) && (role === 'owner' || !LETS_GO.has(route));
};

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method: string }[] };
}

/** Of an Express router, such as `get /team`. */
export function routesOf({ stack }: { readonly stack: readonly unknown[] }): string[] {
  return (stack as readonly Layer[]).flatMap(({ route }) =>
    route
      ? [...new Set(route.stack.map(({ method }) => method))].flatMap((method) =>
          method ? [`${method} ${route.path}`] : [],
        )
      : [],
  );
}
