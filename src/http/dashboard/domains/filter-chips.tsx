import type { GivenFilter } from '../../../application/portfolio/domain-filters';
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
            <a key={name} class="chip" href={buildListUrl(query, { given: others })}>
              <span class="visually-hidden">Remove the filter </span>
              {label}: {SWITCHES[value] ?? value} <span aria-hidden="true">×</span>
            </a>
          )
        );
      })}
    </>
  );
}
