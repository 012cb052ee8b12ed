import { DOMAIN_FILTERS, type DomainFilters, type GivenFilter } from '../../../application/portfolio/domain-filters';
import type { DomainFilter } from '../../../application/ports/registration/domain-repository';
import type { Reader } from '../../../domain/access/actor';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ApiRequest } from '../api-request';
import { parameter } from './validated';

/** The filter that the query parameters of a list are. @throws ValidationError */
export async function domainFilter(
  filters: DomainFilters,
  { caller, query }: { readonly caller: Reader; readonly query: ApiRequest['query'] },
): Promise<DomainFilter> {
  const given: GivenFilter = Object.fromEntries(DOMAIN_FILTERS.map((name) => [name, parameter({ query }, name)]));
  const { filter, issues } = await filters.parse(caller, given);
  if (issues.length > 0) throw new ValidationError(issues);
  return filter;
}
