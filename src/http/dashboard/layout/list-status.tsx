/** The id of the status of a page's list. */
export const LIST_STATUS = 'list-status';

export interface ListStatusProps {
  readonly count: number;
  /** What one of them is called, and many. */
  readonly nouns: readonly [one: string, many: string];
  /** Whether that is all of them. */
  readonly isWhole: boolean;
}

/** How much a list shows. Screen readers speak it where a filter has changed it, instead of the list, which stays silent. */
export function ListStatus({ count, nouns: [one, many], isWhole }: ListStatusProps) {
  const words = `${count === 0 ? 'No' : count} ${count === 1 ? one : many}`;
  return (
    <p class="small list-status" id={LIST_STATUS} role="status">
      {isWhole ? words : `${words} on this page`}
    </p>
  );
}
