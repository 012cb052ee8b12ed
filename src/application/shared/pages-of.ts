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

/** As long as a page of ordinary records. */
const PAGE_LENGTH = 131_072;
const MIN_PAGE_SIZE = 10;

/**
 * Reads a list page by page. A page is in memory only as long as its reader keeps it: no generator, which would keep it until it reads the
 * next one.
 * @param accountId absent if `read` has a slot already
 * @param lengthOf characters of an item that may be very long, so that pages of such items are smaller
 */
export function pagesOf<T extends ListPosition>(
  read: (limit: number, after?: ListPosition) => Promise<readonly T[]>,
  accountId?: string,
  lengthOf: (item: T) => number = () => 0,
): AsyncIterableIterator<readonly T[]> {
  let size = FIRST_PAGE_SIZE;
  let after: ListPosition | undefined;
  let isRead = false;
  const next = async (): Promise<IteratorResult<readonly T[], undefined>> => {
    if (isRead) return { done: true, value: undefined };
    const page = await (after ? readInTurn(accountId, () => read(size, after)) : read(size));
    const last = page.at(-1);
    isRead = page.length < size;
    after = last && { createdAt: last.createdAt, id: last.id };
    size = nextSize(page, lengthOf);
    return { done: false, value: page };
  };
  const pages: AsyncIterableIterator<readonly T[]> = { next, [Symbol.asyncIterator]: () => pages };
  return pages;
}

function nextSize<T>(page: readonly T[], lengthOf: (item: T) => number): number {
  const length = page.reduce((sum, item) => sum + lengthOf(item), 0);
  if (length === 0) return PAGE_SIZE;
  return Math.max(MIN_PAGE_SIZE, Math.min(PAGE_SIZE, Math.floor((PAGE_LENGTH * page.length) / length)));
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
