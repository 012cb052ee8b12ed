import { LIST_STATUS_ID } from '../layout/list-status';
import type { ListPage } from '../list-page';
import type { DomainListQuery } from './domain-list-query';

interface ListPositionProps {
  readonly query: DomainListQuery;
  readonly count: number;
  readonly total: number | undefined;
  readonly page: Pick<ListPage<unknown>, 'next' | 'first'>;
}

/** “1–50 of 190”. A live region, as `ListStatus`. */
export function ListPositionStatus({ query: { offset }, count, total, page }: ListPositionProps) {
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
  if (!next && !first) return `${count} ${count === 1 ? 'domain' : 'domains'}`;
  const of = total === undefined ? `more than ${offset + count}` : String(Math.max(total, offset + count));
  return `${offset + 1}–${offset + count} of ${next ? of : offset + count} domains`;
}
