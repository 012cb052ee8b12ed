import { NAME_FILTERS, type DomainFilters, type GivenFilter } from '../../../application/portfolio/domain-filters';
import {
  DOMAIN_ORDERS,
  type DomainOrder,
  type SortedList,
  type SortedPosition,
  type DomainFilter,
} from '../../../application/ports/registration/domain-repository';
import { buildUrl } from '../build-url';
import { readParameter } from '../form-fields';
import { describeUnusedParameters } from '../unused-parameters';
import type { Requester } from '../../../domain/access/actor';
import type { DashboardRequest } from '../dashboard-route';
import { COLUMNS, DEFAULT_COLUMNS, type Column } from './domain-columns';

/** Filter, order, columns and position of the domain list. */
export interface DomainListQuery {
  /** Set if the list ignores a query parameter. */
  readonly warning: string | undefined;
  /** The filter as its parameters. */
  readonly given: GivenFilter;
  readonly filter: DomainFilter;
  readonly order: DomainOrder;
  readonly descending: boolean;
  /** Undefined: those of the user. */
  readonly columns: readonly Column[] | undefined;
  /** Whether the rows are higher than usual. */
  readonly roomy: boolean;
  readonly after: SortedPosition | undefined;
  /** How many domains are on the pages before. */
  readonly offset: number;
  /** Whether all domains of the page are selected. */
  readonly selected: boolean;
}

const MAX_TEXT = 253;
const NUMERIC: readonly DomainOrder[] = ['expiry', 'auto_renewal', 'transfer_lock', 'health', 'price'];

export async function readListQuery(
  req: Pick<DashboardRequest, 'query'>,
  requester: Requester,
  filters: DomainFilters,
): Promise<DomainListQuery> {
  const sort = readParameter(req, 'sort');
  const order = DOMAIN_ORDERS.find((each) => each === sort.replace(/^-/, ''));
  const after = parseCursor(readParameter(req, 'after'), order ?? 'name');
  const offset = /^\d{1,9}$/.test(readParameter(req, 'from')) ? Number(readParameter(req, 'from')) : undefined;
  const given = readFilter(req);
  const { filter, issues } = await filters.parse(requester, given, 'names');
  const invalid = new Set(issues.map(({ path }) => path));
  const known = [...COLUMNS.keys()].filter((each) => readColumns(req).includes(each));
  const select = readParameter(req, 'select');
  const isRoomy = readParameter(req, 'rows') === 'roomy';
  return {
    warning: describeUnusedParameters(req, {
      ...Object.fromEntries(NAME_FILTERS.map((name) => [parameterOf(name), !invalid.has(name)])),
      sort: order !== undefined,
      after: after !== undefined,
      from: offset !== undefined,
      col: known.length > 0,
      rows: isRoomy,
      select: select === 'page',
    }),
    given: Object.fromEntries(Object.entries(given).filter(([name]) => !invalid.has(name))),
    filter,
    order: order ?? 'name',
    descending: sort.startsWith('-'),
    columns: known.length > 0 ? known : undefined,
    roomy: isRoomy,
    after,
    offset: after ? (offset ?? 0) : 0,
    selected: select === 'page',
  };
}

/** The parameters of the filter that have a value. */
export function readFilter(req: Pick<DashboardRequest, 'query'>): GivenFilter {
  return Object.fromEntries(
    NAME_FILTERS.flatMap((name) => {
      const text = readParameter(req, parameterOf(name)).trim().slice(0, MAX_TEXT);
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** The dashboard has always called the part of a name `q`. */
function parameterOf(name: keyof GivenFilter): string {
  return name === 'name' ? 'q' : name;
}

function readColumns({ query }: Pick<DashboardRequest, 'query'>): readonly unknown[] {
  const given = query['col'];
  return Array.isArray(given) ? given : [given];
}

export function toSortedList({ filter, order, descending }: DomainListQuery): SortedList {
  return { ...filter, order, descending };
}

export function isFiltered({ given }: Pick<DomainListQuery, 'given'>): boolean {
  return Object.keys(given).length > 0;
}

/** The URL of the list with `changes` to the query. Starts at the first page unless `changes` has `after`. */
export function buildListUrl(
  query: DomainListQuery,
  changes: Partial<DomainListQuery> = {},
  path = '/domains',
): string {
  const { given, order, descending, columns, roomy, after, offset, selected } = {
    ...query,
    after: undefined,
    offset: 0,
    selected: false,
    ...changes,
  };
  const url = buildUrl(path, {
    ...filterParameters(given),
    sort: order !== 'name' || descending ? `${descending ? '-' : ''}${order}` : undefined,
    rows: roomy ? 'roomy' : undefined,
    after: after && `${after.value}:${after.id}`,
    from: after && offset > 0 ? String(offset) : undefined,
    select: selected ? 'page' : undefined,
  });
  const chosen = columns && columns.join() !== DEFAULT_COLUMNS.join() ? columns.map((each) => `col=${each}`) : [];
  return chosen.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${chosen.join('&')}`;
}

/** The filter as parameters of the dashboard's URLs. */
export function filterParameters(given: GivenFilter): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(NAME_FILTERS.map((name) => [parameterOf(name), given[name]]));
}

function parseCursor(text: string, order: DomainOrder): SortedPosition | undefined {
  const [, value = '', id] = /^(.{0,253}):([a-z]{2,4}_[0-9a-z]{1,36})$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  if (!NUMERIC.includes(order)) return { value, id };
  return /^-?\d{1,15}$/.test(value) ? { value: Number(value), id } : undefined;
}
