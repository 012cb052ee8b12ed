/** A place in a list that is ordered by creation: what comes after it is the next page. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}
