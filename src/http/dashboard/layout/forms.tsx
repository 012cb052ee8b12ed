import { createContext, type ComponentChildren, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { NO_ISSUES, type FormIssues } from '../form-issues';
import { TOKEN_FIELD } from '../middleware/form-tokens';
import { OWNER_FIELD, PLACE_FIELD } from '../middleware/kept-forms';
import { usePage } from './page-context';

export type FormValues = Readonly<Record<string, string | undefined>>;

interface FormState {
  readonly values: FormValues;
  readonly issues: FormIssues;
  /** Keeps the ids apart of several forms on one page. */
  readonly id: string;
}

const FormFacts = createContext<FormState>({ values: {}, issues: NO_ISSUES, id: '' });

export interface PostFormProps {
  readonly action: string;
  readonly id?: string;
  /** For fields that stand elsewhere on the page. */
  readonly elementId?: string;
  readonly class?: string;
  /** Sends a large field: only routes of the kind `upload` take such a form. */
  readonly upload?: boolean;
  /** What was sent, where a form comes back for correction. */
  readonly values?: FormValues | undefined;
  readonly issues?: FormIssues | undefined;
  readonly children?: ComponentChildren;
}

/** A form that changes something: carries the token, and what was wrong with it the last time. */
export function PostForm({
  action,
  id = '',
  elementId,
  class: className,
  upload = false,
  values = {},
  issues = NO_ISSUES,
  children,
}: PostFormProps) {
  const { formToken, formOwner, place } = usePage();
  return (
    <form
      method="post"
      action={action}
      enctype={upload ? 'multipart/form-data' : undefined}
      id={elementId}
      class={className}
      novalidate={issues !== NO_ISSUES}
    >
      <input type="hidden" name={TOKEN_FIELD} value={formToken} />
      {formOwner !== '' && (
        <>
          <input type="hidden" name={OWNER_FIELD} value={formOwner} />
          <input type="hidden" name={PLACE_FIELD} value={place} />
        </>
      )}
      {issues.message !== undefined && (
        <div class="notice warning" role="alert">
          <p>{issues.message}</p>
        </div>
      )}
      <FormFacts.Provider value={{ values, issues, id }}>{children}</FormFacts.Provider>
    </form>
  );
}

interface ControlProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly class?: string;
}

export interface FieldProps extends ControlProps {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'tel';
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'email' | 'tel' | 'url';
  readonly maxLength?: number;
  readonly autofocus?: boolean;
  readonly min?: string;
  readonly max?: string;
  /** Id of a datalist with suggestions. */
  readonly list?: string;
}

export function Field({ name, label, hint, class: className, type = 'text', ...input }: FieldProps) {
  const control = useControl(name, hint);
  const value = type === 'password' ? undefined : control.value;
  const attributes = { ...input, type, value, spellcheck: false } as InputHTMLAttributes;
  return (
    <Labelled control={control} label={label} hint={hint} class={className}>
      <input
        id={control.id}
        name={name}
        aria-invalid={control.invalid}
        aria-describedby={control.describedBy}
        {...attributes}
      />
    </Labelled>
  );
}

/** With `html`, that is its content; else what was sent. */
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
    <Labelled control={control} label={label} hint={hint} class={className}>
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
    </Labelled>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** With `fits`, scripts leave those fields of the form that the chosen value has (`data-types`). */
export function Select({
  name,
  label,
  hint,
  class: className,
  choices,
  fits,
  autofocus,
}: ControlProps & { readonly choices: readonly Choice[]; readonly fits?: boolean; readonly autofocus?: boolean }) {
  const control = useControl(name, hint);
  return (
    <Labelled control={control} label={label} hint={hint} class={className}>
      <select
        id={control.id}
        name={name}
        data-fits={fits}
        autofocus={autofocus}
        aria-invalid={control.invalid}
        aria-describedby={control.describedBy}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === control.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function Checkbox({ name, label }: ControlProps) {
  const control = useControl(name, undefined);
  return (
    <div class="field">
      <label class="check">
        <input type="checkbox" name={name} checked={control.value === 'on'} />
        <span>{label}</span>
      </label>
    </div>
  );
}

/** One of a few, each with a sentence on it. */
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
      <Words control={control} hint={undefined} />
    </fieldset>
  );
}

interface LabelledProps {
  readonly control: Control;
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly class: string | undefined;
  readonly children: ComponentChildren;
}

function Labelled({ control, label, hint, class: className, children }: LabelledProps) {
  return (
    <div class={className === undefined ? 'field' : `field ${className}`}>
      <label for={control.id}>{label}</label>
      {children}
      <Words control={control} hint={hint} />
    </div>
  );
}

interface Control {
  readonly id: string;
  readonly value: string | undefined;
  readonly issue: string | undefined;
  readonly invalid: true | undefined;
  readonly describedBy: string | undefined;
}

/** What was sent in a field of the form around. */
export function useValue(name: string): string | undefined {
  return useContext(FormFacts).values[name];
}

function useControl(name: string, hint: ComponentChildren): Control {
  const { values, issues, id: formId } = useContext(FormFacts);
  const id = `${formId}${formId === '' ? '' : '-'}${name.replaceAll('.', '-')}`;
  const issue = issues.fields.get(name);
  const describedBy = [
    ...(issue === undefined ? [] : [`${id}-fault`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ].join(' ');
  return {
    id,
    value: values[name],
    issue,
    invalid: issue === undefined ? undefined : true,
    describedBy: describedBy === '' ? undefined : describedBy,
  };
}

function Words({ control: { id, issue }, hint }: { readonly control: Control; readonly hint: ComponentChildren }) {
  return (
    <>
      {issue !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {issue}
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
