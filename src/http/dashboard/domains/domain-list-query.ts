import {
  DOMAIN_ORDERS,
  type DomainOrder,
  type SortedList,
  type SortedPosition,
} from '../../../application/ports/registration/domain-queries';
import { VISIBLE_STATUSES, type DomainStatus } from '../../../domain/registration/domain-status';
import { foldNamePart } from '../../../domain/shared/idna';
import { buildUrl } from '../build-url';
import { readParameter } from '../form-fields';
import { describeUnusedParameters } from '../unused-parameters';
import type { DashboardRequest } from '../dashboard-route';

/** Filter, order and position of the domain list. */
export interface DomainListQuery {
  /** Set if the list ignores a query parameter. */
  readonly warning: string | undefined;
  readonly search: string;
  readonly status: DomainStatus | undefined;
  readonly order: DomainOrder;
  readonly descending: boolean;
  readonly after: SortedPosition | undefined;
}

const MAX_SEARCH = 253;

export function readListQuery(req: Pick<DashboardRequest, 'query'>): DomainListQuery {
  const sort = readParameter(req, 'sort');
  const order = DOMAIN_ORDERS.find((each) => each === sort.replace(/^-/, ''));
  const status = VISIBLE_STATUSES.find((each) => each === readParameter(req, 'status'));
  const after = parseCursor(readParameter(req, 'after'));
  return {
    warning: describeUnusedParameters(req, {
      q: true,
      status: status !== undefined,
      sort: order !== undefined,
      after: after !== undefined,
    }),
    search: readParameter(req, 'q').trim().slice(0, MAX_SEARCH),
    status,
    order: order ?? 'name',
    descending: sort.startsWith('-'),
    after,
  };
}

export function toSortedList({ search, status, order, descending }: DomainListQuery): SortedList {
  return { status, order, descending, nameContains: search === '' ? undefined : foldNamePart(search) };
}

/** The URL of the list with `changes` to the query. Starts at the first page unless `changes` has `after`. */
export function buildListUrl(
  query: DomainListQuery,
  changes: Partial<DomainListQuery> = {},
  path = '/domains',
): string {
  const { search, status, order, descending, after } = { ...query, after: undefined, ...changes };
  return buildUrl(path, {
    q: search,
    status,
    sort: order !== 'name' || descending ? `${descending ? '-' : ''}${order}` : undefined,
    after: after && [after.expiresAt.getTime(), after.id, after.name].join(':'),
  });
}

function parseCursor(text: string): SortedPosition | undefined {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36}):([a-z0-9.-]{0,253})$/.exec(text);
  return match?.[1] && match[2] && match[3] !== undefined
    ? { expiresAt: new Date(Number(match[1])), id: match[2], name: match[3] }
    : undefined;
}
