import type { AuditEntry } from '../../../domain/access/audit-entry';
import { Pager } from '../layout/pager';
import { Empty, PageHeading } from '../layout/parts';
import { ActivityList } from './activity-list';
import type { ActorNames } from './actor-names';

export interface ActivityPageProps {
  readonly domain: string;
  readonly actor: string;
  readonly entries: readonly AuditEntry[];
  readonly names: ActorNames;
  /** The address of what came before, where there is more. */
  readonly older: string | undefined;
  /** The address of the newest, where this is another page. */
  readonly first: string | undefined;
}

const OTHERS: readonly (readonly [value: string, label: string])[] = [
  ['operator', 'The operator'],
  ['service', 'Namewright'],
];

export function ActivityPage({ domain, actor, entries, names, older, first }: ActivityPageProps) {
  return (
    <>
      <PageHeading title="Activity" lead="Who did what to which domain, and when. Nothing is ever taken out of it." />
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
          <label for="actor">Done by</label>
          <select id="actor" name="actor">
            <option value="">anybody</option>
            {[...names, ...OTHERS].map(([value, label]) => (
              <option key={value} value={value} selected={value === actor}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Show</button>
      </form>
      <section class="card flush">
        {entries.length === 0 ? <Empty title="Nothing to tell." /> : <ActivityList entries={entries} names={names} />}
        <Pager next={older} label="Earlier" first={first} />
      </section>
    </>
  );
}
