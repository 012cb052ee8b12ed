import { addYears } from '../shared/time/calendar';
import { ValidationError } from '../shared/validation-error';
import type { YearRange } from './names/tld-policy';

export const DEFAULT_YEARS = 1;
const MAX_YEARS = 10;

/** A registration or renewal term: 1 to 10 whole years, limited by the TLD. */
export class RegistrationTerm {
  private constructor(readonly years: number) {}

  /** @throws ValidationError about `field` unless `years` is an integer from 1 to 10. */
  static ofYears(years: number, field = 'years'): RegistrationTerm {
    if (!Number.isInteger(years) || years < 1 || years > MAX_YEARS)
      throw ValidationError.of(field, 'must be an integer from 1 to 10');
    return new RegistrationTerm(years);
  }

  static shortest({ min }: YearRange): RegistrationTerm {
    return new RegistrationTerm(min);
  }

  /** All available terms, shortest first. */
  static all({ min, max }: YearRange): readonly RegistrationTerm[] {
    return Array.from({ length: max - min + 1 }, (_, index) => new RegistrationTerm(min + index));
  }

  isWithin({ min, max }: YearRange): boolean {
    return this.years >= min && this.years <= max;
  }

  /** The remaining term after `first`; undefined if none remains. */
  without(first: RegistrationTerm): RegistrationTerm | undefined {
    return this.years > first.years ? new RegistrationTerm(this.years - first.years) : undefined;
  }

  /** @throws ValidationError that lists the available terms if this is not one of them. */
  assertWithin({ min, max }: YearRange, suffix: string, field = 'years'): this {
    if (!this.isWithin({ min, max })) {
      throw ValidationError.of(
        field,
        min === max ? `must be ${min} for .${suffix}` : `must be from ${min} to ${max} for .${suffix}`,
      );
    }
    return this;
  }

  /** Whether `expiry` can be extended by this term: an expiry is at most ten years ahead. */
  isPossible(expiry: Date, now: Date): boolean {
    return addYears(expiry, this.years) <= addYears(now, MAX_YEARS);
  }

  /** The expiry after this term. @throws ValidationError if it is more than ten years after `now`, the limit of gTLDs. */
  extend(expiry: Date, now: Date): Date {
    if (!this.isPossible(expiry, now))
      throw ValidationError.of('years', 'must not extend the expiry to more than ten years from now');
    return addYears(expiry, this.years);
  }
}
