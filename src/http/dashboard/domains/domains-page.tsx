import type { DomainOrder } from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import { VISIBLE_STATUSES } from '../../../domain/registration/domain-status';
import { formatRelativeDay, formatShortDate } from '../layout/dates';
import { usePage } from '../layout/page-context';
import { ListFilter } from '../layout/list-filter';
import { ListStatus } from '../layout/list-status';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Badge, Cell, Empty, PageHeading, Row, Table, Time } from '../layout/components';
import { buildListUrl, type DomainListQuery } from './domain-list-query';
import { displayName, STATUS_LABELS } from './domain-labels';

const EXPORT_ID = 'export';

export interface DomainsPageProps {
  readonly query: DomainListQuery;
  readonly page: ListPage<DomainState>;
}

export function DomainsPage({ query, page }: DomainsPageProps) {
  const domains = page.items;
  const { userSession } = usePage();
  return (
    <>
      <PageHeading title="Domains">
        <a class="button" id={EXPORT_ID} href={buildListUrl(query, {}, '/domains.csv')}>
          Export CSV
        </a>
        {userSession?.user.role === 'owner' && (
          <a class="button" href="/imports">
            Bring your domains
          </a>
        )}
        <a class="button" href="/transfers">
          Transfers
        </a>
        <a class="button primary" href="/register">
          Register a domain
        </a>
      </PageHeading>
      <FilterForm query={query} />
      <ListStatus count={domains.length} nouns={['domain', 'domains']} isComplete={!page.next && !page.first} />
      <section class="card flush" id="results">
        {domains.length === 0 ? (
          <NothingFound query={query} next={page.next} />
        ) : (
          <DomainTable query={query} domains={domains} />
        )}
        <Pager page={page} />
      </section>
    </>
  );
}

function FilterForm({ query: { search, status, order, descending } }: { readonly query: DomainListQuery }) {
  return (
    <ListFilter action="/domains" list="results" alsoReplace={EXPORT_ID} search={search} placeholder="Part of a name">
      <div class="field">
        <label for="status">Status</label>
        <select id="status" name="status">
          <option value="">All</option>
          {VISIBLE_STATUSES.map((each) => (
            <option key={each} value={each} selected={each === status}>
              {STATUS_LABELS[each].label}
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
    'Auto-renewal',
    'Transfer lock',
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
    <a href={buildListUrl(query, { order, descending })}>
      {label}
      {current && <span aria-hidden="true">{query.descending ? ' ↓' : ' ↑'}</span>}
      <span class="visually-hidden">
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
  const { id, name, status, expiresAt, autoRenew, transferLocked, transferPending } = domain;
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
        <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].label}</Badge>
        {transferPending && <Badge tone="warning">transfer requested</Badge>}
      </Cell>
      <Cell label="Expires">
        <Time at={expiresAt}>{formatShortDate(expiresAt)}</Time>{' '}
        <span class="small">{formatRelativeDay(expiresAt, today)}</span>
      </Cell>
      <Cell label="Auto-renewal">{autoRenew ? 'on' : <Badge tone="warning">off</Badge>}</Cell>
      <Cell label="Transfer lock">{transferLocked ? 'on' : <Badge tone="warning">off</Badge>}</Cell>
    </Row>
  );
}

function NothingFound({
  query: { search, status },
  next,
}: {
  readonly query: DomainListQuery;
  readonly next: string | undefined;
}) {
  if (next !== undefined) {
    return (
      <Empty title="No domains found yet">
        <p>
          The search is not complete. <a href={next}>Continue the search</a>
        </p>
      </Empty>
    );
  }
  if (search === '' && status === undefined) {
    return (
      <Empty title="No domains yet">
        <p>
          <a href="/register">Register your first domain</a> or{' '}
          <a href="/transfers/new">transfer one from another registrar</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No domains found">
      <p>
        No domain matches the filter. <a href="/domains">Show all domains</a>
      </p>
    </Empty>
  );
}
