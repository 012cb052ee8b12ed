/** A page of a list that `P` continues. A search may end a page early, even without an item, to bound what one call reads. */
export interface Page<T, P> {
  readonly items: readonly T[];
  /** The page that starts after this position follows; undefined on the last page. */
  readonly next: P | undefined;
}

/** A place in a list that is ordered by creation: what comes after it is the next page. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}
