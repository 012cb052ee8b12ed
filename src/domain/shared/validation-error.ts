import { ServiceError } from './service-error';

export interface Fault {
  /** Path of the field as the caller sent it: `address.country`, `domains[2].years`; empty for the body itself. */
  readonly field: string;
  /** What the field should be, as the end of a sentence that begins with its name. */
  readonly problem: string;
}

/** As many as a quote of fifty names can have; an answer is for people to read. */
const MAX_NAMED = 100;

/** Input of the wrong shape or outside its limits; `details` names the faulty fields and what they should be. */
export class ValidationError extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(
    readonly faults: readonly Fault[],
    options?: ErrorOptions,
  ) {
    super('Request validation failed', named(faults), options);
  }

  static of(field: string, problem: string): ValidationError {
    return new ValidationError([{ field, problem }]);
  }
}

/** Makes every judgment before it fails. @throws ValidationError with the faults of all */
export function judgeAll<T extends readonly unknown[]>(...judgments: { readonly [K in keyof T]: () => T[K] }): T {
  const faults: Fault[] = [];
  const judged = judgments.map((judge) => {
    try {
      return judge();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  });
  if (faults.length > 0) throw new ValidationError(faults);
  return judged as unknown as T;
}

function named(faults: readonly Fault[]): string {
  const more = faults.length - MAX_NAMED;
  return [...faults.slice(0, MAX_NAMED).map(inWords), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function inWords({ field, problem }: Fault): string {
  return field === '' ? problem : `${field} ${problem}`;
}
