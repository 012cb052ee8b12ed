import { ServiceError } from './service-error';

export interface Fault {
  /** Path of the field as the caller sent it: `address.country`, `domains[2].years`; empty for the body itself. */
  readonly field: string;
  /** What the field should be, as the end of a sentence that begins with its name. */
  readonly problem: string;
}

/** Input of the wrong shape or outside its limits; `details` names every faulty field and what it should be. */
export class ValidationError extends ServiceError {
  readonly code = 'VALIDATION_ERROR';

  constructor(
    readonly faults: readonly Fault[],
    options?: ErrorOptions,
  ) {
    super('Request validation failed', faults.map(inWords).join('; '), options);
  }

  static of(field: string, problem: string): ValidationError {
    return new ValidationError([{ field, problem }]);
  }
}

function inWords({ field, problem }: Fault): string {
  return field === '' ? problem : `${field} ${problem}`;
}
