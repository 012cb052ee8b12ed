import type { GivenFilter } from '../../../application/portfolio/domain-filters';
import { FilterChip } from '../layout/filter-chip';
import { buildListUrl, type DomainListQuery } from './domain-list-query';

/** Id of the element with what depends on the filter beside it. */
export const LIST_TOOLS_ID = 'list-tools';

/** The search field shows the part of a name itself. */
const LABELS: Readonly<Partial<Record<keyof GivenFilter, string>>> = {
  status: 'Status',
  kind: 'Kind',
  tag: 'Tag',
  tld: 'TLD',
  registrar: 'Registrar',
  auto_renew: 'Auto-renewal',
  transfer_locked: 'Transfer lock',
  nameserver: 'Nameserver',
  health: 'Health',
  expires_within: 'Expires within days',
  expires_from: 'Expires from',
  expires_before: 'Expires before',
};
const SWITCHES: Readonly<Record<string, string>> = { true: 'on', false: 'off' };

/** Each filter in use, as a link to the list without it. */
export function FilterChips({ query }: { readonly query: DomainListQuery }) {
  return (
    <>
      {Object.entries(LABELS).map(([name, label]) => {
        const { [name as keyof GivenFilter]: value, ...others } = query.given;
        return (
          value !== undefined && (
            <FilterChip
              key={name}
              label={label}
              value={SWITCHES[value] ?? value}
              without={buildListUrl(query, { given: others })}
            />
          )
        );
      })}
    </>
  );
}
