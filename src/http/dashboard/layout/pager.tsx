export interface PagerProps {
  /** The address of the next page, where there is one. */
  readonly next: string | undefined;
  /** What leads there. */
  readonly label: string;
  /** The address of the first page, where this is another. */
  readonly first?: string | undefined;
}

/** The ways out of a page of a list; nothing where all is shown. */
export function Pager({ next, label, first }: PagerProps) {
  if (next === undefined && first === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first !== undefined && <a href={first}>Back to the beginning</a>}
      {next !== undefined && <a href={next}>{label}</a>}
    </nav>
  );
}
