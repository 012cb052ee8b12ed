import type { ListPosition } from '../../application/ports/storage/page';

/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** URL of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** URL of the first page; undefined on the first one. */
  readonly first: string | undefined;
}

interface ListPageQuery<T, C> {
  readonly size: number;
  /** Position of the last item of the previous page; undefined for the first page. */
  readonly cursor: C | undefined;
  /** Loads at most `limit` items that follow `cursor`. */
  readonly load: (limit: number, cursor: C | undefined) => Promise<readonly T[]>;
  /** URL of the page that follows `last`; without `last`, of the first page. */
  readonly url: (last?: T) => string;
}

/** Loads one item more than a page shows, to know whether a next page exists without counting. */
export async function loadListPage<T, C>({ size, cursor, load, url }: ListPageQuery<T, C>): Promise<ListPage<T>> {
  const found = await load(size + 1, cursor);
  const items = found.slice(0, size);
  const last = found.length > size ? items.at(-1) : undefined;
  return { items, next: last && url(last), first: cursor === undefined ? undefined : url() };
}

/** A list position as the query parameter of a page. */
export function formatCursor({ createdAt, id }: ListPosition): string {
  return `${createdAt.getTime()}:${id}`;
}

/** Returns undefined unless `formatCursor` made the text. */
export function parseCursor(text: string): ListPosition | undefined {
  const match = /^(\d{1,15}):([a-z]{2,4}_[0-9a-z]{1,36}|[\w-]{12})$/.exec(text);
  return match?.[1] && match[2] ? { createdAt: new Date(Number(match[1])), id: match[2] } : undefined;
}
