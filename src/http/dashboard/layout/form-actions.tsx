export interface FormActionsProps {
  /** What the button says; none where there is nothing to send. */
  readonly submit: string | undefined;
  readonly danger?: boolean;
  /** Where the way out leads. */
  readonly cancel: string;
}

/** What a form on a page of its own ends with. */
export function FormActions({ submit, danger = false, cancel }: FormActionsProps) {
  return (
    <p class="actions">
      {submit !== undefined && (
        <button class={danger ? 'danger' : 'primary'} type="submit">
          {submit}
        </button>
      )}
      <a class="button" href={cancel}>
        Cancel
      </a>
    </p>
  );
}
