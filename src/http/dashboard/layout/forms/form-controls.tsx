import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { FormContext } from './forms';

interface ControlProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly class?: string;
}

interface FieldProps extends ControlProps {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'tel';
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'email' | 'tel' | 'url';
  readonly autocapitalize?: 'none';
  readonly maxLength?: number;
  readonly autofocus?: boolean;
  /** Id of a further description, read out before the hint. */
  readonly describedBy?: string | undefined;
  readonly min?: string;
  readonly max?: string;
  /** Id of a datalist. */
  readonly list?: string;
}

export function Field({ name, label, hint, class: className, type = 'text', describedBy, ...input }: FieldProps) {
  const control = useControl(name, hint);
  const value = type === 'password' ? undefined : control.value;
  const attributes = { ...input, type, value, spellcheck: false } as InputHTMLAttributes;
  return (
    <LabeledControl control={control} label={label} hint={hint} class={className}>
      <input
        id={control.id}
        name={name}
        aria-invalid={control.invalid}
        aria-describedby={
          [describedBy, control.describedBy].filter((each) => each !== undefined).join(' ') || undefined
        }
        {...attributes}
      />
    </LabeledControl>
  );
}

/** @param html content instead of the form's value */
export function TextArea({
  name,
  label,
  hint,
  class: className,
  rows = 4,
  required,
  html,
}: ControlProps & { readonly rows?: number; readonly required?: boolean; readonly html?: string }) {
  const control = useControl(name, hint);
  const content =
    html === undefined ? { children: control.value ?? '' } : { dangerouslySetInnerHTML: { __html: html } };
  return (
    <LabeledControl control={control} label={label} hint={hint} class={className}>
      <textarea
        id={control.id}
        name={name}
        rows={rows}
        required={required}
        aria-invalid={control.invalid}
        aria-describedby={control.describedBy}
        spellcheck={false}
        {...content}
      />
    </LabeledControl>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** With `togglesFields`, scripts show only the fields whose `data-types` contain the selected value. */
export function Select({
  name,
  label,
  hint,
  class: className,
  choices,
  lead,
  togglesFields,
  autofocus,
}: ControlProps & {
  readonly choices: readonly (Choice | ChoiceGroup)[];
  /** A picture in front of the selected choice. */
  readonly lead?: ComponentChildren;
  readonly togglesFields?: boolean;
  readonly autofocus?: boolean;
}) {
  const control = useControl(name, hint);
  const option = ({ value, label: text }: Choice) => (
    <option key={value} value={value} selected={value === control.value}>
      {text}
    </option>
  );
  const select = (
    <select
      id={control.id}
      name={name}
      data-toggles-fields={togglesFields}
      autofocus={autofocus}
      aria-invalid={control.invalid}
      aria-describedby={control.describedBy}
    >
      {choices.map((choice) =>
        'choices' in choice ? (
          <optgroup key={choice.label} label={choice.label}>
            {choice.choices.map(option)}
          </optgroup>
        ) : (
          option(choice)
        ),
      )}
    </select>
  );
  return (
    <LabeledControl control={control} label={label} hint={hint} class={className}>
      {lead === undefined ? (
        select
      ) : (
        <div class="with-lead">
          {lead}
          {select}
        </div>
      )}
    </LabeledControl>
  );
}

export function Checkbox({ name, label, hint }: ControlProps) {
  const control = useControl(name, hint);
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={control.value === 'on'}
          aria-invalid={control.invalid}
          aria-describedby={control.describedBy}
        />
        <span>{label}</span>
      </label>
      <FieldMessages control={control} hint={hint} />
    </div>
  );
}

/** Radio buttons, each with an optional description. */
export function Radios({ name, label, choices }: ControlProps & { readonly choices: readonly Choice[] }) {
  const control = useControl(name, undefined);
  return (
    <fieldset class="field choices">
      <legend>{label}</legend>
      {choices.map(({ value, label: choice, hint }) => (
        <label key={value} class="choice">
          <input type="radio" name={name} value={value} checked={value === control.value} />
          <span>
            <strong>{choice}</strong>
            {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
      <FieldMessages control={control} hint={undefined} />
    </fieldset>
  );
}

interface LabeledControlProps {
  readonly control: Control;
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly class: string | undefined;
  readonly children: ComponentChildren;
}

function LabeledControl({ control, label, hint, class: className, children }: LabeledControlProps) {
  return (
    <div class={className === undefined ? 'field' : `field ${className}`}>
      <label for={control.id}>{label}</label>
      {children}
      <FieldMessages control={control} hint={hint} />
    </div>
  );
}

interface Control {
  readonly id: string;
  readonly value: string | undefined;
  readonly error: string | undefined;
  readonly invalid: true | undefined;
  readonly describedBy: string | undefined;
}

function useControl(name: string, hint: ComponentChildren): Control {
  const { values, issues, id: formId } = useContext(FormContext);
  const id = `${formId}${formId === '' ? '' : '-'}${name.replaceAll('.', '-')}`;
  const error = issues.fields.get(name);
  const describedBy = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ].join(' ');
  return {
    id,
    value: values[name],
    error,
    invalid: error === undefined ? undefined : true,
    describedBy: describedBy === '' ? undefined : describedBy,
  };
}

function FieldMessages({
  control: { id, error },
  hint,
}: {
  readonly control: Control;
  readonly hint: ComponentChildren;
}) {
  return (
    <>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}
