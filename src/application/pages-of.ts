import type { ListPosition } from './ports/storage/list-position';

const PAGE_SIZE = 500;

/** Reads a list page by page, so that only one page is in memory. */
export async function* pagesOf<T extends ListPosition>(
  read: (limit: number, after?: ListPosition) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let after: ListPosition | undefined;
  for (;;) {
    const page = await read(PAGE_SIZE, after);
    yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1);
  }
}
