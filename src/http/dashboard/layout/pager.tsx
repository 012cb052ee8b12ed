import type { ListPage } from '../list-page';

/** Links to the next and to the first page of a list; nothing if the list has one page. */
export function Pager({ page: { next, first } }: { readonly page: Pick<ListPage<unknown>, 'next' | 'first'> }) {
  if (next === undefined && first === undefined) return null;
  return (
    <nav class="pager" aria-label="Pagination">
      {first !== undefined && <a href={first}>First page</a>}
      {next !== undefined && <a href={next}>Next page</a>}
    </nav>
  );
}
