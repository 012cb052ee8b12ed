import type { Issue } from './issue';
import { ServiceError } from './service-error';

/** As many as a quote of fifty names can have; an answer is for people to read. */
const MAX_NAMED = 100;

/** Input of the wrong shape or outside its limits; `details` names the faulty fields and what they should be. */
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
}

/** Makes every judgment before it fails. @throws ValidationError with the issues of all */
export function judgeAll<T extends readonly unknown[]>(...judgments: { readonly [K in keyof T]: () => T[K] }): T {
  const issues: Issue[] = [];
  const judged = judgments.map((judge) => {
    try {
      return judge();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      issues.push(...error.issues);
      return undefined;
    }
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return judged as unknown as T;
}

function describe(issues: readonly Issue[]): string {
  const more = issues.length - MAX_NAMED;
  return [...issues.slice(0, MAX_NAMED).map(inWords), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function inWords({ path, message }: Issue): string {
  return path === '' ? message : `${path} ${message}`;
}
