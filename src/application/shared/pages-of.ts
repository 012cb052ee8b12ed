import { FairSlots } from './fair-slots';
import { waitForNextSlice } from './run-cooperatively';
import type { ListPosition, Page } from '../ports/storage/page';
import { StorageSlow } from '../ports/storage/storage-unavailable';

/** Small, because the first pages of all lists that begin at once are read in one iteration of the event loop. */
export const FIRST_PAGE_SIZE = 100;
export const PAGE_SIZE = 500;

/** How many searches and further pages all accounts, and one of them, read at once: other work keeps the other connections to the database. */
const longReads = new FairSlots(3, 2);
/** As long as for a connection to the database. */
const WAIT_WITHIN_MS = 5_000;
const TOO_LATE = 'a search or a page of a list waited 5 seconds for the reads before it';

/** Reads a list page by page, so that only one page is in memory. @param accountId absent if `read` has a slot already */
export async function* pagesOf<T extends ListPosition>(
  read: (limit: number, after?: ListPosition) => Promise<readonly T[]>,
  accountId?: string,
): AsyncGenerator<readonly T[]> {
  let page = await read(FIRST_PAGE_SIZE);
  for (let size = FIRST_PAGE_SIZE; ; size = PAGE_SIZE) {
    yield page;
    if (page.length < size) return;
    const after = page.at(-1);
    page = await readInTurn(accountId, () => read(PAGE_SIZE, after));
  }
}

/** One read of a search takes about 20 ms. */
const MAX_READS = 100;

/** Reads on until a page of a search is full, the list ends, or very much was read. Each read waits for its turn by itself. */
export async function filledPage<T, P>(
  limit: number,
  after: P | undefined,
  read: (limit: number, after: P | undefined) => Promise<Page<T, P>>,
): Promise<Page<T, P>> {
  let { items, next } = await read(limit, after);
  for (let reads = 1; next !== undefined && items.length < limit && reads < MAX_READS; reads += 1) {
    const more: Page<T, P> = await read(limit - items.length, next);
    [items, next] = [[...items, ...more.items], more.next];
  }
  return { items, next };
}

/**
 * In a slice of the event loop, because SQLite reads in this thread, and in a slot of the account. `read` must not call it again.
 * @throws StorageSlow if the slot came too late
 */
export function readInTurn<T>(accountId: string | undefined, read: () => Promise<T>): Promise<T> {
  const readInSlice = () => waitForNextSlice(accountId).then(read);
  if (accountId === undefined) return readInSlice();
  const askedAt = performance.now();
  return longReads.run(accountId, async () => {
    if (performance.now() - askedAt > WAIT_WITHIN_MS) throw new StorageSlow(TOO_LATE);
    return readInSlice();
  });
}
