import { parentsOf } from '../shared/domain-name';
import { isHosted } from '../registration/domain-status';
import type { DomainState } from '../registration/domain';

/** A fact about a domain that lists are filtered by, such as `tld:com`, `tag:shop`, `ns:ns1.example.net` or `renew:off`. */
export type DomainTerm = string;

export const RENEWAL_OFF: DomainTerm = 'renew:off';
export const UNLOCKED: DomainTerm = 'lock:off';
export const TAG_PREFIX = 'tag:';
export const TLD_PREFIX = 'tld:';

export function tldTerm(tld: string): DomainTerm {
  return `${TLD_PREFIX}${tld}`;
}

export function tagTerm(tag: string): DomainTerm {
  return `${TAG_PREFIX}${tag}`;
}

/** Of names without a registration: they can be at any depth. */
export function belowTerm(name: string): DomainTerm {
  return `below:${name}`;
}

export function nameserverTerm(host: string): DomainTerm {
  return `ns:${host}`;
}

type Facts = Pick<DomainState, 'name' | 'status' | 'nameservers' | 'tags' | 'autoRenew' | 'transferLocked'>;

/** All terms of a domain, in a fixed order; none of a deleted one, which no list has. */
export function termsOf({ name, status, nameservers, tags, autoRenew, transferLocked }: Facts): readonly DomainTerm[] {
  if (status === 'gone') return [];
  const above = parentsOf(name);
  const terms = new Set([
    ...(isHosted(status) ? above.map(belowTerm) : above.slice(0, 1).map(tldTerm)),
    ...nameservers.map(nameserverTerm),
    ...tags.map(tagTerm),
    ...(autoRenew ? [] : [RENEWAL_OFF]),
    ...(transferLocked ? [] : [UNLOCKED]),
  ]);
  return [...terms].toSorted();
}
