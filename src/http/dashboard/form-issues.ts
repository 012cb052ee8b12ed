import { RegistryRejected } from '../../application/ports/registry/registry-errors';
import { RateLimitExceeded } from '../../domain/access/access-errors';
import type { ErrorCode } from '../../domain/shared/error-code';
import { ServiceError } from '../../domain/shared/service-error';
import { ValidationError } from '../../domain/shared/validation-error';
import { STATUS } from '../shared/error-codes';
import { formatRetryDelay } from './layout/dates';

/** Why a form was refused: messages for the whole form and for its fields. */
export interface FormIssues {
  readonly status: number;
  /** When the same request may be sent again, if known. */
  readonly retryAfterSeconds?: number | undefined;
  /** About the form as a whole. */
  readonly message: string | undefined;
  /** By name of the field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Why the price that was shown does not hold, so that it is to be confirmed again: it has risen, or its quote has ended or was used. */
  readonly price?: 'risen' | 'quote ended';
}

/** The status of issues that a later attempt may not have: the registry or the database is unavailable. */
export const OUTAGE = 503;

export const NO_ISSUES: FormIssues = { status: 200, message: undefined, fields: new Map() };

/** In place of the API's words, for people. */
const FORM_WORDS: ReadonlyMap<string, string> = new Map([
  ['phone', 'must be a complete phone number, such as +44 20 7946 0000'],
]);

/** Hidden in forms of orders: nothing in it can be corrected. */
const QUOTE_FIELD = 'quote_id';
const QUOTE_ENDED =
  'Nothing was ordered: the price was shown more than 15 minutes ago, or the form was sent before. Check the price and confirm again';

/** Which field of the form each error is shown at. */
export interface IssueMapping {
  readonly codes?: Partial<Record<ErrorCode, string>>;
  /** Removed from the field names of a ValidationError. */
  readonly prefix?: string;
  /** The fields of the form; issues of other fields go to the message. Default: all fields. */
  readonly fields?: readonly string[];
}

/** Runs what a form asks for. Returns its result, or the issues to show in the form. */
export async function attempt<T>(
  work: () => Promise<T>,
  mapping: IssueMapping = {},
): Promise<{ readonly result: T } | { readonly issues: FormIssues }> {
  try {
    return { result: await work() };
  } catch (error) {
    return { issues: toFormIssues(error, mapping) };
  }
}

/** @throws `error` itself if correcting the form cannot help: 403, 404, 500 and bugs */
function toFormIssues(error: unknown, { codes = {}, prefix = '', fields }: IssueMapping): FormIssues {
  if (!(error instanceof ServiceError) || [403, 404, 500].includes(STATUS[error.code])) throw error;
  const status = STATUS[error.code];
  if (error instanceof ValidationError) return toFieldIssues(error, status, prefix, fields);
  const { message, details, retryAfterSeconds } = error;
  if (error instanceof RateLimitExceeded)
    return {
      status,
      retryAfterSeconds,
      message: `Too many attempts. Try again ${formatRetryDelay(error.retryAfterSeconds)}.`,
      fields: new Map(),
    };
  const field = codes[error.code];
  if (field !== undefined)
    return { status, retryAfterSeconds, message: undefined, fields: new Map([[field, details ?? message]]) };
  return {
    status,
    retryAfterSeconds,
    message: details === undefined ? message : `${message}: ${details}`,
    fields: new Map(),
    ...(error instanceof RegistryRejected && error.reason === 'price_changed' && { price: 'risen' }),
  };
}

function toFieldIssues(
  { issues }: ValidationError,
  status: number,
  prefix: string,
  known: readonly string[] | undefined,
): FormIssues {
  const isOfQuote = issues.some(({ path }) => path === QUOTE_FIELD);
  if (isOfQuote) return { status, message: QUOTE_ENDED, fields: new Map(), price: 'quote ended' };
  const named = issues.map(({ path, message }) => ({
    field: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  }));
  const shown = named.filter(({ field }) => field !== '' && (known === undefined || known.includes(field)));
  const others = named
    .filter((issue) => !shown.includes(issue))
    .map(({ field, message }) => `${field} ${message}`.trim());
  return {
    status,
    message: others.length > 0 ? others.join('; ') : undefined,
    fields: new Map(shown.map(({ field, message }) => [field, capitalize(FORM_WORDS.get(field) ?? message)])),
  };
}

/** All issues in one text, for a flash message. */
export function issuesText({ message, fields }: FormIssues): string {
  return message ?? [...fields.values()].join('. ');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
