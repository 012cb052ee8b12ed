import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { displayName } from '../layout/domain/domain-labels';

/** Ids of the domains on this page that the account still has. The others get no link. */
export const ExistingDomains = createContext<ReadonlySet<string>>(new Set());

interface DomainLinkProps {
  readonly id: string;
  readonly name: string;
  /** Path below the domain's page. Default: none */
  readonly page?: string;
}

/** The name of a domain, as a link if the account still has it. */
export function DomainLink({ id, name, page = '' }: DomainLinkProps) {
  return useContext(ExistingDomains).has(id) ? (
    <a href={`/domains/${id}${page}`}>{displayName(name)}</a>
  ) : (
    <span>{displayName(name)}</span>
  );
}
