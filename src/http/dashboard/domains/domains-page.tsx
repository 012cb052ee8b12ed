import { MayDo } from '../layout/may-do';
import type { FilterChoices } from '../../../application/portfolio/domain-filters';
import type { DomainState } from '../../../domain/registration/domain';
import { usePage } from '../layout/page-context';
import type { ListPage } from '../list-page';
import { Pager } from '../layout/pager';
import { Cell, Empty, PageHeading, Row, Table } from '../layout/components';
import { BulkBar } from './bulk-bar';
import { COLUMNS, type Column, type ColumnContext } from './domain-columns';
import { DomainFilterForm } from './domain-filter-form';
import { buildListUrl, isFiltered, type DomainListQuery } from './domain-list-query';
import { displayName } from '../layout/domain/domain-labels';
import { ListPositionStatus } from './list-position-status';
import { SavedViewsList, type SavedViewsListProps } from './saved-views-list';
import { SortLink } from './sort-link';

const EXPORT_ID = 'export';

interface DomainsPageProps {
  readonly query: DomainListQuery;
  readonly page: ListPage<DomainState>;
  /** How many domains match; undefined if they are too many to count. */
  readonly total: number | undefined;
  readonly choices: FilterChoices;
  readonly columns: readonly Column[];
  readonly cells: Omit<ColumnContext, 'today'>;
  readonly views: SavedViewsListProps['views'];
}

export function DomainsPage({ query, page, total, choices, columns, cells, views }: DomainsPageProps) {
  const domains = page.items;
  const { userSession } = usePage();
  return (
    <>
      <PageHeading title="Domains">
        <a class="button" id={EXPORT_ID} href={buildListUrl(query, { columns: undefined }, '/domains.csv')}>
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
        <MayDo action="register">
          <a class="button primary" href="/register">
            Register a domain
          </a>
        </MayDo>
      </PageHeading>
      <SavedViewsList views={views} query={query} />
      <DomainFilterForm query={query} choices={choices} columns={columns} />
      <ListPositionStatus query={query} count={domains.length} total={total} page={page} />
      <section class="card flush" id="results">
        {domains.length === 0 ? (
          <NothingFound query={query} next={page.next} />
        ) : (
          <form action="/bulk/new" id="bulk">
            <BulkBar query={query} count={domains.length} total={total} isComplete={!page.next && !page.first} />
            <DomainTable query={query} domains={domains} columns={columns} cells={cells} />
          </form>
        )}
        <Pager page={page} />
      </section>
    </>
  );
}

function DomainTable({
  query,
  domains,
  columns,
  cells,
}: {
  readonly query: DomainListQuery;
  readonly domains: readonly DomainState[];
  readonly columns: readonly Column[];
  readonly cells: DomainsPageProps['cells'];
}) {
  const { today } = usePage();
  const shown = [...COLUMNS].flatMap(([column, definition]) =>
    columns.includes(column) ? [{ column, ...definition }] : [],
  );
  const headings = [
    <CheckAll />,
    <SortLink query={query} order="name" label="Name" />,
    ...shown.map(({ label, order }) => <SortLink query={query} order={order} label={label} />),
  ];
  return (
    <Table caption="Domains" columns={headings}>
      {domains.map((domain) => (
        <Row key={domain.id}>
          <Cell class="check-cell">
            <input
              type="checkbox"
              name="id"
              value={domain.id}
              checked={query.selected}
              aria-label={`Select ${displayName(domain.name)}`}
            />
          </Cell>
          <Cell class="main-cell">
            <DomainName domain={domain} />
          </Cell>
          {shown.map(({ column, label, cell }) => (
            <Cell key={column} label={label}>
              {cell(domain, { today, ...cells })}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** Without scripts, the bulk bar has a link that selects the page. */
function CheckAll() {
  return (
    <>
      <span class="visually-hidden">Select</span>
      <input type="checkbox" data-check-all="id" data-scripted hidden aria-label="Select all on this page" />
    </>
  );
}

function DomainName({ domain: { id, name } }: { readonly domain: DomainState }) {
  const shown = displayName(name);
  return (
    <>
      <a href={`/domains/${id}`}>
        <strong>{shown}</strong>
      </a>
      {shown !== name && <span class="small">{name}</span>}
    </>
  );
}

function NothingFound({ query, next }: { readonly query: DomainListQuery; readonly next: string | undefined }) {
  if (next !== undefined) {
    return (
      <Empty title="No domains found yet">
        <p>
          The search is not complete. <a href={next}>Continue the search</a>
        </p>
      </Empty>
    );
  }
  if (!isFiltered(query)) {
    return (
      <Empty title="No domains yet">
        <MayDo action="transfer">
          <p>
            <a href="/register">Register your first domain</a> or{' '}
            <a href="/transfers/new">transfer one from another registrar</a>
          </p>
        </MayDo>
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
