import { RateLimitExceeded } from '../../domain/access/errors';
import type { ErrorCode } from '../../domain/shared/error-code';
import { ServiceError } from '../../domain/shared/service-error';
import { ValidationError } from '../../domain/shared/validation-error';
import { STATUS } from '../shared/error-codes';
import { inMinutes } from './layout/dates';

/** Why a form comes back: what is wrong beside the field that it is about, in the words of the interface. */
export interface FormIssues {
  readonly status: number;
  /** After how long the same may do, where that is known. */
  readonly retryAfterSeconds?: number | undefined;
  /** What is about no one field. */
  readonly message: string | undefined;
  readonly fields: ReadonlyMap<string, string>;
}

export const NO_ISSUES: FormIssues = { status: 200, message: undefined, fields: new Map() };

/** Which field of the form each code is about; the fields of a ValidationError without `prefix`. */
export interface IssuePlaces {
  readonly codes?: Partial<Record<ErrorCode, string>>;
  readonly prefix?: string;
  /** The fields that the form has; what is about another goes to the message. Absent: all. */
  readonly fields?: readonly string[];
}

/** Reads a failure as what is wrong with the form. What the form cannot mend is thrown on. */
function issuesOf(error: unknown, { codes = {}, prefix = '', fields }: IssuePlaces = {}): FormIssues {
  if (!(error instanceof ServiceError) || [403, 404, 500].includes(STATUS[error.code])) throw error;
  const status = STATUS[error.code];
  if (error instanceof ValidationError) return issuesByField(error, status, prefix, fields);
  const { message, details, retryAfterSeconds } = error;
  if (error instanceof RateLimitExceeded)
    return {
      status,
      retryAfterSeconds,
      message: `Too many attempts. Try again ${inMinutes(error.retryAfterSeconds)}.`,
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
  };
}

function issuesByField(
  { issues }: ValidationError,
  status: number,
  prefix: string,
  known: readonly string[] | undefined,
): FormIssues {
  const places = issues.map(({ path, message }) => ({
    field: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  }));
  const own = places.filter(({ field }) => field !== '' && (known === undefined || known.includes(field)));
  const others = places
    .filter((place) => !own.includes(place))
    .map(({ field, message }) => `${field} ${message}`.trim());
  return {
    status,
    message: others.length > 0 ? others.join('; ') : undefined,
    fields: new Map(own.map(({ field, message }) => [field, capitalized(message)])),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Runs what a form asks for. Its result, or what was wrong with the form. */
export async function attempt<T>(
  work: () => Promise<T>,
  places: IssuePlaces = {},
): Promise<{ readonly result: T } | { readonly issues: FormIssues }> {
  try {
    return { result: await work() };
  } catch (error) {
    return { issues: issuesOf(error, places) };
  }
}
