import { quantityText } from '../../../domain/shared/text/quantity-text';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { NAMED_TYPES } from '../../../domain/dns/records/types/record-types';
import { parseDay } from '../../../domain/shared/time/calendar';
import { formatDate } from '../../../domain/shared/time/date-text';
import { buildUrl } from '../build-url';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Icon } from '../layout/icon';
import { DateTime, Empty, PageHeading } from '../layout/components';
import { usePage } from '../layout/page-context';
import { ACTION_GROUPS, labelOf } from './action-filter';
import type { ActivityQuery } from './activity-search';
import { FilterChip } from '../layout/filter-chip';
import { ActivityList } from './activity-list';
import type { ActorNames } from './actor-names';

const OTHER_ACTORS: readonly (readonly [value: string, label: string])[] = [
  ['operator', 'The operator'],
  ['service', 'Namewright'],
];

interface ActivityPageProps {
  readonly query: ActivityQuery;
  /** Whether more names contain what was typed than were searched. */
  readonly isPartial: boolean;
  readonly page: ListPage<AuditEntry>;
  /** How far back a page with few entries was searched; undefined if it is full, or the last one. */
  readonly searchedTo: Date | undefined;
  readonly names: ActorNames;
  readonly retentionDays: number;
}

export function ActivityPage({ query, isPartial, page, searchedTo, names, retentionDays }: ActivityPageProps) {
  const { domain, actor, action, type, from, to } = query;
  const more = [actor, action, type, from, to].filter((value) => value !== '').length;
  const { userSession } = usePage();
  const about = userSession?.user.tags ? 'your domains' : 'the account, its domains';
  return (
    <>
      <PageHeading
        title="Activity"
        lead={`Every change to ${about} and their DNS records. Entries are deleted after ${quantityText(retentionDays, 'day')}.`}
      >
        <a class="button" href={buildUrl('/activity.csv', { ...query })}>
          Download CSV
        </a>
      </PageHeading>
      <div class="toolbar">
        <form class="filter" action="/activity" role="search">
          <div class="field grow">
            <label for="domain" class="visually-hidden">
              Domain or part of its name
            </label>
            <input
              id="domain"
              name="domain"
              type="search"
              value={domain}
              placeholder="Part of a domain name"
              autocomplete="off"
              spellcheck={false}
            />
          </div>
          <details class="dropdown">
            <summary class="button quiet">
              <Icon name="list-filter" /> <span>Filters</span>
              {more > 0 && ` (${more})`}
            </summary>
            <div class="dropdown-panel filter-fields">
              <div class="field">
                <label for="actor">Changed by</label>
                <select id="actor" name="actor">
                  <option value="">All users and keys</option>
                  {[...names, ...OTHER_ACTORS].map(([value, label]) => (
                    <option key={value} value={value} selected={value === actor}>
                      {label}
                    </option>
                  ))}
                </select>
              </div>
              <div class="field">
                <label for="action">Change</label>
                <select id="action" name="action">
                  <option value="">All changes</option>
                  {ACTION_GROUPS.map(({ value: group, title, actions }) => (
                    <optgroup key={group} label={title}>
                      <option value={group} selected={group === action}>
                        {title}: all
                      </option>
                      {actions.map(({ value, label }) => (
                        <option key={value} value={value} selected={value === action}>
                          {label}
                        </option>
                      ))}
                    </optgroup>
                  ))}
                </select>
              </div>
              <div class="field">
                <label for="type">Record type</label>
                <input
                  id="type"
                  name="type"
                  value={type}
                  list="record-types"
                  size={8}
                  placeholder="MX"
                  autocomplete="off"
                  spellcheck={false}
                />
                <datalist id="record-types">
                  {NAMED_TYPES.map((each) => (
                    <option key={each} value={each} />
                  ))}
                </datalist>
              </div>
              <div class="field">
                <label for="from">From</label>
                <input id="from" name="from" type="date" value={from} />
              </div>
              <div class="field">
                <label for="to">To</label>
                <input id="to" name="to" type="date" value={to} />
              </div>
            </div>
          </details>
          <button type="submit">Search</button>
        </form>
        <Chips query={query} names={names} />
      </div>
      {isPartial && (
        <p class="small">Many names contain “{domain}”. Only the first of them are shown: type more of the name.</p>
      )}
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title={searchedTo ? 'Nothing found yet' : 'No activity found'} />
        ) : (
          <ActivityList entries={page.items} names={names} />
        )}
        {searchedTo && (
          <p class="small table-lead">
            Searched back to <DateTime at={searchedTo} />. The next page continues from there.
          </p>
        )}
        <Pager page={page} />
      </section>
    </>
  );
}

/** Each filter in use, as a link to the entries without it. The search field shows the name itself. */
function Chips({ query, names }: Pick<ActivityPageProps, 'query' | 'names'>) {
  const actors = new Map([...names, ...OTHER_ACTORS]);
  const chips: readonly (readonly [field: keyof ActivityQuery, label: string, value: string])[] = [
    ['actor', 'Changed by', actors.get(query.actor) ?? query.actor],
    ['action', 'Change', labelOf(query.action)],
    ['type', 'Record type', query.type],
    ['from', 'From', dayText(query.from)],
    ['to', 'To', dayText(query.to)],
  ];
  const used = chips.filter(([field]) => query[field] !== '');
  if (used.length === 0) return null;
  return (
    <div class="toolbar-side">
      {used.map(([field, label, value]) => (
        <FilterChip
          key={field}
          label={label}
          value={value}
          without={buildUrl('/activity', { ...query, [field]: '' })}
        />
      ))}
    </div>
  );
}

function dayText(text: string): string {
  const day = parseDay(text);
  return day ? formatDate(day) : text;
}
