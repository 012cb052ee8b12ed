import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { displayName } from './domain-words';

/** The ids of the mentioned domains that have a page; the others are gone from the account. */
export const HeldDomains = createContext<ReadonlySet<string>>(new Set());

export interface DomainLinkProps {
  readonly id: string;
  readonly name: string;
  /** The page of the domain. Default: its first. */
  readonly page?: string;
}

/** The name of a domain, with a link unless the domain is gone. */
export function DomainLink({ id, name, page = '' }: DomainLinkProps) {
  return useContext(HeldDomains).has(id) ? (
    <a href={`/domains/${id}${page}`}>{displayName(name)}</a>
  ) : (
    <span>{displayName(name)}</span>
  );
}
