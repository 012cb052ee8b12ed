import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import { forceIndex } from '../database/mysql/force-index';
import { NAME_CONTAINS, type NameSearch } from './domain-name-search';

/** The clauses of a SELECT of an account's domains, to which a cursor and an order are added. */
export interface FilteredDomains {
  readonly from: string;
  readonly conditions: string[];
  readonly parameters: unknown[];
}

/** After SELECT: has MySQL and MariaDB read the tables in the order of the FROM clause, as SQLite does for a CROSS JOIN. */
export const IN_THAT_ORDER = '/*! STRAIGHT_JOIN */';

/** Domains that are gone are left out. `index` has the order of the list, and finds `filter.status`. */
export function filteredDomains(
  accountId: string,
  { status, nameContains = '' }: DomainFilter,
  index: string,
  search: NameSearch | undefined,
): FilteredDomains {
  const conditions = ["account_id = ? AND status <> 'gone'"];
  const parameters: unknown[] = [accountId];
  if (status !== undefined) {
    conditions.push('status = ?');
    parameters.push(status);
  }
  if (!search) return { from: `domains${forceIndex(index)}`, conditions, parameters };
  conditions.push(NAME_CONTAINS);
  parameters.push(nameContains, nameContains);
  if (!search.isRare) return { from: `domains${forceIndex(index)}`, conditions, parameters };
  return {
    from: `(${search.names}) AS found CROSS JOIN domains${forceIndex('domains_by_name')} ON domains.account_id = ? AND domains.name = found.found_name`,
    conditions,
    parameters: [...search.parameters, accountId, ...parameters],
  };
}
