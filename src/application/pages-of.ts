import { nextSlice } from './run-cooperatively';
import type { ListPosition } from './ports/storage/list-position';

/** Small, because the first pages of all lists that begin at once are read in one iteration of the event loop. */
export const FIRST_PAGE_SIZE = 100;
export const PAGE_SIZE = 500;

/**
 * Reads a list page by page, so that only one page is in memory. Every page after the first waits for a slice of `share`, because
 * SQLite reads in this thread.
 */
export async function* pagesOf<T extends ListPosition>(
  read: (limit: number, after?: ListPosition) => Promise<readonly T[]>,
  share?: string,
): AsyncGenerator<readonly T[]> {
  let after: ListPosition | undefined;
  for (let size = FIRST_PAGE_SIZE; ; size = PAGE_SIZE) {
    const page = await read(size, after);
    yield page;
    if (page.length < size) return;
    after = page.at(-1);
    await nextSlice(share);
  }
}
