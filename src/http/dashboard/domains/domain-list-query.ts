import {
  DOMAIN_ORDERS,
  type DomainOrder,
  type SortedList,
  type SortedPosition,
} from '../../../application/ports/registration/domain-queries';
import { VISIBLE_STATUSES, type DomainStatus } from '../../../domain/registration/domain-status';
import { foldNamePart } from '../../../domain/shared/idna';
import { addressOf } from '../address-of';
import { parameter } from '../form-fields';
import { unusedParameters } from '../list-parameters';
import type { DashboardRequest } from '../visitor';

/** What the list of domains is asked for. */
export interface DomainListQuery {
  /** What the address asks for and the list cannot do. */
  readonly warning: string | undefined;
  readonly search: string;
  readonly status: DomainStatus | undefined;
  readonly order: DomainOrder;
  readonly descending: boolean;
  readonly after: SortedPosition | undefined;
}

const MAX_SEARCH = 253;

export function readListQuery(req: Pick<DashboardRequest, 'query'>): DomainListQuery {
  const sort = parameter(req, 'sort');
  const order = DOMAIN_ORDERS.find((each) => each === sort.replace(/^-/, ''));
  const status = VISIBLE_STATUSES.find((each) => each === parameter(req, 'status'));
  const after = readPosition(parameter(req, 'after'));
  return {
    warning: unusedParameters(req, {
      q: true,
      status: status !== undefined,
      sort: order !== undefined,
      after: after !== undefined,
    }),
    search: parameter(req, 'q').trim().slice(0, MAX_SEARCH),
    status,
    order: order ?? 'name',
    descending: sort.startsWith('-'),
    after,
  };
}

export function toSortedList({ search, status, order, descending }: DomainListQuery): SortedList {
  return { status, order, descending, nameContains: search === '' ? undefined : foldNamePart(search) };
}

/** The address of the same list with something else asked for; always from its beginning, unless `after` is given. */
export function listAddress(query: DomainListQuery, changes: Partial<DomainListQuery> = {}, path = '/domains'): string {
  const { search, status, order, descending, after } = { ...query, after: undefined, ...changes };
  return addressOf(path, {
    q: search,
    status,
    sort: order !== 'name' || descending ? `${descending ? '-' : ''}${order}` : undefined,
    after: after && [after.expiresAt.getTime(), after.id, after.name].join(':'),
  });
}

function readPosition(text: string): SortedPosition | undefined {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36}):([a-z0-9.-]{1,253})$/.exec(text);
  return match?.[1] && match[2] && match[3]
    ? { expiresAt: new Date(Number(match[1])), id: match[2], name: match[3] }
    : undefined;
}
