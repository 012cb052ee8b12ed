import { quantityText } from '../../../domain/shared/text/quantity-text';
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
import { FilterChips, LIST_TOOLS_ID } from './filter-chips';
import { Icon } from '../layout/icon';
import { buildListUrl, isFiltered, type DomainListQuery } from './domain-list-query';
import { displayName } from '../layout/domain/domain-labels';
import { SavedViewsList, type SavedViewsListProps } from './saved-views-list';
import type { DomainOrder } from '../../../application/ports/registration/domain-repository';
import { LIST_STATUS_ID } from '../layout/list-status';

/** Narrower lists cut off longer names, and show them whole on hovering and on phones. */
const LONG_NAME = 45;

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
  return (
    <>
      <PageHeading title="Domains">
        <MayDo action="register">
          <a class="button primary" href="/add">
            Add a name
          </a>
        </MayDo>
      </PageHeading>
      <div class="toolbar">
        <DomainFilterForm query={query} choices={choices} columns={columns} />
        <ListPositionStatus query={query} count={domains.length} total={total} page={page} />
        <div class="toolbar-side" id={LIST_TOOLS_ID}>
          <FilterChips query={query} />
          <a class="button quiet" href={buildListUrl(query, { columns: undefined }, '/domains.csv')}>
            <Icon name="download" /> <span>Export CSV</span>
          </a>
        </div>
      </div>
      <SavedViewsList views={views} query={query} />
      <section class="card flush" id="results">
        {domains.length === 0 ? (
          <NothingFound query={query} next={page.next} />
        ) : (
          <form action="/bulk/new" id="bulk" class={query.roomy ? 'roomy' : undefined}>
            <BulkBar query={query} count={domains.length} total={total} isComplete={!page.next && !page.first} />
            <div class="scroller">
              <DomainTable query={query} domains={domains} columns={columns} cells={cells} />
            </div>
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
    ...shown.map(({ column, label, order }) => (
      <SortLink query={query} order={order} label={label} class={`col-${column}`} />
    )),
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
            <Cell key={column} label={label} class={`col-${column}`}>
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
        <strong title={shown.length > LONG_NAME ? shown : undefined}>{shown}</strong>
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
        <MayDo action="register">
          <p>
            <a href="/add">Add your first name</a>: register it, transfer it, import it or host its DNS
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

/** The heading of a column, which sorts the list by it. */
function SortLink({
  query,
  order,
  label,
  class: className,
}: {
  readonly query: DomainListQuery;
  readonly order: DomainOrder;
  readonly label: string;
  readonly class?: string;
}) {
  const current = query.order === order;
  const descending = current && !query.descending;
  return (
    <a href={buildListUrl(query, { order, descending })} class={className}>
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

interface ListPositionProps {
  readonly query: DomainListQuery;
  readonly count: number;
  readonly total: number | undefined;
  readonly page: Pick<ListPage<unknown>, 'next' | 'first'>;
}

/** “1–50 of 190”. A live region, as `ListStatus`. */
function ListPositionStatus({ query: { offset }, count, total, page }: ListPositionProps) {
  return (
    <p class="small list-status" id={LIST_STATUS_ID} role="status">
      {describe(offset, count, total, page)}
    </p>
  );
}

function describe(
  offset: number,
  count: number,
  total: number | undefined,
  { next, first }: ListPositionProps['page'],
): string {
  if (count === 0) return first || next ? 'No domains on this page' : 'No domains';
  if (!next && !first) return quantityText(count, 'domain');
  const of = total === undefined ? `more than ${offset + count}` : String(Math.max(total, offset + count));
  return `${offset + 1}–${offset + count} of ${next ? of : offset + count} domains`;
}
