import type { DomainOrder, SortedList, SortedPosition } from '../../../application/ports/registration/domain-queries';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ApiRequest } from '../api-request';
import { badCursor, DOMAIN_ID, parseLimit } from './list-query';
import { parameter } from './validated';

/** The members of a domain that a list can be sorted by, with `-` in front for the last first. */
const ORDERS: ReadonlyMap<string, DomainOrder> = new Map([
  ['name', 'name'],
  ['status', 'status'],
  ['expires_at', 'expiry'],
  ['auto_renew', 'auto_renewal'],
  ['transfer_locked', 'transfer_lock'],
]);
/** Orders whose values are stored as numbers. */
const NUMERIC: ReadonlySet<DomainOrder> = new Set(['expiry', 'auto_renewal', 'transfer_lock']);

interface SortedRequest {
  readonly order: Pick<SortedList, 'order' | 'descending'>;
  readonly limit: number;
  readonly after?: SortedPosition;
}

/** @throws ValidationError */
export function sortedRequest(request: Pick<ApiRequest, 'query'>): SortedRequest {
  const sort = parameter(request, 'sort') ?? '';
  const order = ORDERS.get(sort.replace(/^-/, ''));
  if (!order)
    throw ValidationError.of('sort', `must be one of ${[...ORDERS.keys()].join(', ')}, or one with - in front`);
  const cursor = parameter(request, 'cursor');
  return {
    order: { order, descending: sort.startsWith('-') },
    limit: parseLimit(parameter(request, 'limit')),
    ...(cursor !== undefined && { after: positionOf(cursor, order) }),
  };
}

export function sortedCursor({ value, id }: SortedPosition): string {
  return Buffer.from(`${id}:${value}`).toString('base64url');
}

/** @throws ValidationError */
function positionOf(cursor: string, order: DomainOrder): SortedPosition {
  const text = Buffer.from(cursor.slice(0, 500), 'base64url').toString();
  const end = text.indexOf(':');
  const [id, value] = [text.slice(0, end), text.slice(end + 1)];
  const isNumeric = NUMERIC.has(order);
  if (!DOMAIN_ID.test(id) || (isNumeric && !/^-?\d{1,16}$/.test(value))) throw badCursor();
  return { id, value: isNumeric ? Number(value) : value };
}
