/** Element id. */
export const LIST_STATUS_ID = 'list-status';

interface ListStatusProps {
  readonly count: number;
  /** Singular and plural of the items. */
  readonly nouns: readonly [one: string, many: string];
  /** Whether the page shows the whole list. */
  readonly isComplete: boolean;
  /** Of the whole list, if it is known. */
  readonly total?: number | undefined;
}

/** The number of items shown. A live region: screen readers announce it after filtering, instead of the whole list. */
export function ListStatus({ count, nouns: [one, many], isComplete, total }: ListStatusProps) {
  const text = `${count === 0 ? 'No' : count} ${count === 1 ? one : many}`;
  const part = total === undefined ? `${text} on this page` : `${count} of ${total.toLocaleString('en')} ${many}`;
  return (
    <p class="small list-status" id={LIST_STATUS_ID} role="status">
      {isComplete ? text : part}
    </p>
  );
}
