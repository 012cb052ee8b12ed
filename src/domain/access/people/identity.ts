// cspell:words microsoftonline
import { createHash } from 'node:crypto';
import { ROLES, type UserRights } from './role';

/** A person's account at an OpenID Connect provider (OpenID Connect Core 1.0, section 5.7: issuer and subject identify it). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly personId: string;
  /** What the provider called the person when it was linked; shown, and nothing depends on it. */
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Public id: subjects have up to 255 characters, which is too long for an index beside the issuer. */
export function identityId({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
}

const ALL_TENANTS = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\//;

/** Whether the provider can assert the identity. Microsoft's issuers of many tenants assert with the issuer of the tenant. */
export function isIssuedBy({ issuer }: Pick<Identity, 'issuer'>, provider: { readonly issuer: string }): boolean {
  if (!URL.canParse(issuer)) return false;
  const [one, other] = [new URL(issuer), new URL(provider.issuer)];
  return one.href === other.href || (ALL_TENANTS.test(other.href) && one.host === other.host);
}

/**
 * The most powerful role that one of the groups has, for all domains that the groups with this role have together.
 * Undefined: no group has a role.
 */
export function rightsOfGroups(
  roles: ReadonlyMap<string, UserRights>,
  groups: readonly string[],
): UserRights | undefined {
  const found = groups.flatMap((group) => roles.get(group) ?? []);
  const role = ROLES.find((each) => found.some((membership) => membership.role === each));
  const tags = found.filter((membership) => membership.role === role).map((membership) => membership.tags);
  return (
    role && { role, tags: tags.includes(null) ? null : [...new Set(tags.flatMap((each) => each ?? []))].toSorted() }
  );
}
