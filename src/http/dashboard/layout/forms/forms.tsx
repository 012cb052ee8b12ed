import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { NO_ISSUES, type FormIssues } from '../../form-issues';
import { TOKEN_FIELD } from '../../middleware/form-tokens';
import { OWNER_FIELD, RETURN_PATH_FIELD } from '../../middleware/saved-forms';
import { usePage } from '../page-context';

export type FormValues = Readonly<Record<string, string | undefined>>;

interface FormState {
  readonly values: FormValues;
  readonly issues: FormIssues;
  /** Prefix of element ids, for pages with several forms. */
  readonly id: string;
}

/** Of the notice about the last request. */
export const NOTICE_ID = 'notice';
/** Of the surrounding form, for its controls. */
export const FormContext = createContext<FormState>({ values: {}, issues: NO_ISSUES, id: '' });

interface PostFormProps {
  readonly action: string;
  readonly id?: string;
  /** Id of the form element, for fields outside of it. */
  readonly elementId?: string;
  readonly class?: string;
  /** Multipart, for routes with the option `upload`. */
  readonly upload?: boolean;
  /** Values to fill the form with. */
  readonly values?: FormValues | undefined;
  readonly issues?: FormIssues | undefined;
  readonly children?: ComponentChildren;
}

/** A POST form with its CSRF token and the issues of the last attempt. */
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
  const { formToken, formOwner, returnPath } = usePage();
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
          <input type="hidden" name={RETURN_PATH_FIELD} value={returnPath} />
        </>
      )}
      {issues.message !== undefined && (
        <div class="alert warning" role="alert" tabIndex={-1} data-notice>
          <p>{issues.message}</p>
        </div>
      )}
      <FormContext.Provider value={{ values, issues, id }}>{children}</FormContext.Provider>
    </form>
  );
}

/** A form that only reads: its fields become the query of the URL. */
export function GetForm({
  action,
  values = {},
  issues = NO_ISSUES,
  children,
}: Pick<PostFormProps, 'action' | 'values' | 'issues' | 'children'>) {
  return (
    <form action={action} novalidate={issues !== NO_ISSUES}>
      {issues.message !== undefined && (
        <div class="alert warning" role="alert" tabIndex={-1} data-notice>
          <p>{issues.message}</p>
        </div>
      )}
      <FormContext.Provider value={{ values, issues, id: '' }}>{children}</FormContext.Provider>
    </form>
  );
}

/** The value of a field in the surrounding form. */
export function useFieldValue(name: string): string | undefined {
  return useContext(FormContext).values[name];
}
