interface FormActionsProps {
  /** Label of the submit button; undefined: no button. */
  readonly submit: string | undefined;
  readonly danger?: boolean;
  /** URL of the Cancel link. */
  readonly cancel: string;
}

/** The submit button and Cancel link of a form. */
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
