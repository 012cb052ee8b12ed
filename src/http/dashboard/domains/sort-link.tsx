import type { DomainOrder } from '../../../application/ports/registration/domain-repository';
import { buildListUrl, type DomainListQuery } from './domain-list-query';

/** The heading of a column, which sorts the list by it. */
export function SortLink({
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
