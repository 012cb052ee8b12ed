interface FilterChipProps {
  readonly label: string;
  readonly value: string;
  /** URL of the list without the filter. */
  readonly without: string;
}

/** A filter in use: a link that removes it. */
export function FilterChip({ label, value, without }: FilterChipProps) {
  return (
    <a class="chip" href={without}>
      <span class="visually-hidden">Remove the filter </span>
      {label}: {value} <span aria-hidden="true">×</span>
    </a>
  );
}
