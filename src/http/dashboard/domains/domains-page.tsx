import type { DomainOrder } from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import { VISIBLE_STATUSES } from '../../../domain/registration/domain-status';
import { inDays, shortDate } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { ListFilter } from '../layout/list-filter';
import { ListStatus } from '../layout/list-status';
import { Pager } from '../layout/pager';
import { Badge, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/parts';
import { listAddress, type DomainListQuery } from './domain-list-query';
import { displayName, STATUS_WORDS } from './domain-words';

const EXPORT = 'export';

export interface DomainsPageProps {
  readonly query: DomainListQuery;
  readonly domains: readonly DomainState[];
  /** The last one shown, where there are more. */
  readonly next: DomainState | undefined;
}

export function DomainsPage({ query, domains, next }: DomainsPageProps) {
  return (
    <>
      <PageHeading title="Domains">
        <a class="button" id={EXPORT} href={listAddress(query, {}, '/domains.csv')}>
          Export CSV
        </a>
        <a class="button primary" href="/register">
          Register a domain
        </a>
      </PageHeading>
      <FilterForm query={query} />
      <ListStatus count={domains.length} nouns={['domain', 'domains']} isWhole={!next && !query.after} />
      <section class="card flush" id="results">
        {domains.length === 0 ? <NothingFound query={query} /> : <DomainTable query={query} domains={domains} />}
        <Pager
          next={next && listAddress(query, { after: next })}
          label={`Next ${domains.length} domains`}
          first={query.after && listAddress(query)}
        />
      </section>
    </>
  );
}

function FilterForm({ query: { search, status, order, descending } }: { readonly query: DomainListQuery }) {
  return (
    <ListFilter action="/domains" list="results" also={EXPORT} search={search} placeholder="Part of a name">
      <div class="field">
        <label for="status">Status</label>
        <select id="status" name="status">
          <option value="">all</option>
          {VISIBLE_STATUSES.map((each) => (
            <option key={each} value={each} selected={each === status}>
              {STATUS_WORDS[each].label}
            </option>
          ))}
        </select>
      </div>
      {(order !== 'name' || descending) && (
        <input type="hidden" name="sort" value={`${descending ? '-' : ''}${order}`} />
      )}
    </ListFilter>
  );
}

function DomainTable({
  query,
  domains,
}: {
  readonly query: DomainListQuery;
  readonly domains: readonly DomainState[];
}) {
  const columns = [
    <SortLink query={query} order="name" label="Name" />,
    'Status',
    <SortLink query={query} order="expiry" label="Expires" />,
    'Renewal',
    'Lock',
  ];
  return (
    <Table caption="Domains" columns={columns}>
      {domains.map((domain) => (
        <DomainRow key={domain.id} domain={domain} />
      ))}
    </Table>
  );
}

function SortLink({
  query,
  order,
  label,
}: {
  readonly query: DomainListQuery;
  readonly order: DomainOrder;
  readonly label: string;
}) {
  const current = query.order === order;
  const descending = current && !query.descending;
  return (
    <a href={listAddress(query, { order, descending })}>
      {label}
      {current && <span aria-hidden="true">{query.descending ? ' ↓' : ' ↑'}</span>}
      <span class="unseen">
        {current
          ? query.descending
            ? ', sorted in descending order'
            : ', sorted in ascending order'
          : ', sort by this'}
      </span>
    </a>
  );
}

function DomainRow({ domain }: { readonly domain: DomainState }) {
  const { today } = usePage();
  const { id, name, status, expiresAt, autoRenew, transferLocked } = domain;
  const shown = displayName(name);
  return (
    <Row>
      <Cell class="main-cell">
        <a href={`/domains/${id}`}>
          <strong>{shown}</strong>
        </a>
        {shown !== name && <span class="small">{name}</span>}
      </Cell>
      <Cell label="Status">
        <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>
      </Cell>
      <Cell label="Expires">
        <Time at={expiresAt}>{shortDate(expiresAt)}</Time> <span class="small">{inDays(expiresAt, today)}</span>
      </Cell>
      <Cell label="Renewal">{autoRenew ? 'automatic' : <Badge tone="warning">off</Badge>}</Cell>
      <Cell label="Lock">{transferLocked ? 'locked' : <Badge tone="warning">unlocked</Badge>}</Cell>
    </Row>
  );
}

function NothingFound({ query: { search, status } }: { readonly query: DomainListQuery }) {
  if (search === '' && status === undefined) {
    return (
      <Empty title="No domains yet.">
        <p>
          <a href="/register">Find and register the first one</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No domain matches.">
      <p>
        <a href="/domains">Show all domains</a>
      </p>
    </Empty>
  );
}
