import type { Issue } from './issue';
import { ServiceError } from './service-error';

/** A quote of fifty names can have this many; more would not be read. */
const MAX_LISTED = 100;

/** The input has the wrong shape or exceeds a limit; `details` lists the invalid fields and what they must be. */
export class ValidationError extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(
    readonly issues: readonly Issue[],
    options?: ErrorOptions,
  ) {
    super('Request validation failed', describe(issues), options);
  }

  static of(path: string, message: string): ValidationError {
    return new ValidationError([{ path, message }]);
  }

  /** The same issues, of members of `member`. */
  within(member: string): ValidationError {
    const issues = this.issues.map((issue) => ({ ...issue, path: `${member}.${issue.path}` }));
    return new ValidationError(issues, { cause: this });
  }
}

/** Runs every check before it fails. @throws ValidationError with the issues of all checks */
export function validateAll<T extends readonly unknown[]>(...checks: { readonly [K in keyof T]: () => T[K] }): T {
  const issues: Issue[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      issues.push(...error.issues);
      return undefined;
    }
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return results as unknown as T;
}

function describe(issues: readonly Issue[]): string {
  const more = issues.length - MAX_LISTED;
  return [...issues.slice(0, MAX_LISTED).map(issueText), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function issueText({ path, message }: Issue): string {
  return path === '' ? message : `${path} ${message}`;
}
