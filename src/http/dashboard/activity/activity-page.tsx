import type { AuditEntry } from '../../../domain/access/audit-entry';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Empty, PageHeading } from '../layout/components';
import { ActivityList } from './activity-list';
import type { ActorNames } from './actor-names';

export interface ActivityPageProps {
  readonly domain: string;
  readonly actor: string;
  readonly page: ListPage<AuditEntry>;
  readonly names: ActorNames;
}

const OTHER_ACTORS: readonly (readonly [value: string, label: string])[] = [
  ['operator', 'The operator'],
  ['service', 'Namewright'],
];

export function ActivityPage({ domain, actor, page, names }: ActivityPageProps) {
  return (
    <>
      <PageHeading
        title="Activity"
        lead="Every change to the account, its domains and their DNS records. Entries are never deleted."
      />
      <form class="filter" action="/activity" role="search">
        <div class="field grow">
          <label for="domain">Domain</label>
          <input
            id="domain"
            name="domain"
            type="search"
            value={domain}
            placeholder="example.com"
            autocomplete="off"
            spellcheck={false}
          />
        </div>
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
        <button type="submit">Filter</button>
      </form>
      <section class="card flush">
        {page.items.length === 0 ? (
          <Empty title="No activity found" />
        ) : (
          <ActivityList entries={page.items} names={names} />
        )}
        <Pager page={page} />
      </section>
    </>
  );
}
