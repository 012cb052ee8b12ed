export interface ListPage<T> {
  readonly items: readonly T[];
  /** The last of `items` if another page follows. */
  readonly last: T | undefined;
}

/** The first `size` of `found`, which was queried with a limit of `size + 1` to learn whether another page follows. */
export function pageOf<T>(found: readonly T[], size: number): ListPage<T> {
  const items = found.slice(0, size);
  return { items, last: found.length > size ? items.at(-1) : undefined };
}
