import type { ListPosition } from './ports/storage/list-position';

const PAGE_SIZE = 500;

/** Every page of a list in turn, so that a list of any length takes the memory of one page. */
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
