import { addYears } from '../shared/calendar';
import { ValidationError } from '../shared/validation-error';
import type { YearRange } from './tld-policy';

export const DEFAULT_YEARS = 1;
const MAX_YEARS = 10;

/** How long a name is registered or renewed for: 1 to 10 whole years, within what its TLD allows. */
export class RegistrationTerm {
  private constructor(readonly years: number) {}

  /** @throws ValidationError naming `field` for anything but an integer from 1 to 10. */
  static ofYears(years: number, field = 'years'): RegistrationTerm {
    if (!Number.isInteger(years) || years < 1 || years > MAX_YEARS)
      throw ValidationError.of(field, 'must be an integer from 1 to 10');
    return new RegistrationTerm(years);
  }

  /** The shortest term of those sold. */
  static shortest({ min }: YearRange): RegistrationTerm {
    return new RegistrationTerm(min);
  }

  /** Every term sold, the shortest first. */
  static all({ min, max }: YearRange): readonly RegistrationTerm[] {
    return Array.from({ length: max - min + 1 }, (_, index) => new RegistrationTerm(min + index));
  }

  isWithin({ min, max }: YearRange): boolean {
    return this.years >= min && this.years <= max;
  }

  /** What is left of it after `first`; undefined where nothing is. */
  without(first: RegistrationTerm): RegistrationTerm | undefined {
    return this.years > first.years ? new RegistrationTerm(this.years - first.years) : undefined;
  }

  /** @throws ValidationError naming the terms sold where this is none of them. */
  within({ min, max }: YearRange, suffix: string, field = 'years'): this {
    if (!this.isWithin({ min, max })) {
      throw ValidationError.of(
        field,
        min === max ? `must be ${min} for .${suffix}` : `must be from ${min} to ${max} for .${suffix}`,
      );
    }
    return this;
  }

  /** Whether a registration may be extended by it: none reaches more than ten years ahead. */
  isPossible(expiry: Date, now: Date): boolean {
    return addYears(expiry, this.years) <= addYears(now, MAX_YEARS);
  }

  /** The expiry after this term. @throws ValidationError where it would lie more than ten years after `now`, as no gTLD allows. */
  extend(expiry: Date, now: Date): Date {
    if (!this.isPossible(expiry, now))
      throw ValidationError.of('years', 'must not carry the expiry past ten years from now');
    return addYears(expiry, this.years);
  }
}
