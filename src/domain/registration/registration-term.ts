import { addYears } from '../shared/calendar';
import { ValidationError } from '../shared/validation-error';
import type { TldPolicy } from './tld-policy';

export const DEFAULT_YEARS = 1;
const MAX_YEARS = 10;

/** How long a name is registered or renewed for: 1 to 10 whole years, within what its TLD allows. */
export class RegistrationTerm {
  private constructor(readonly years: number) {}

  /** @throws ValidationError naming `field` for anything but an integer from 1 to 10. */
  static ofYears(years: number, field = 'years'): RegistrationTerm {
    if (!Number.isInteger(years) || years < 1 || years > MAX_YEARS) throw ValidationError.of(field, 'must be an integer from 1 to 10');
    return new RegistrationTerm(years);
  }

  /** @throws ValidationError where the TLD sells no such term. */
  within({ suffix, years: { min, max } }: TldPolicy, field = 'years'): this {
    if (this.years < min || this.years > max) {
      throw ValidationError.of(field, min === max ? `must be ${min} for .${suffix}` : `must be from ${min} to ${max} for .${suffix}`);
    }
    return this;
  }

  /** The expiry after this term. @throws ValidationError where it would lie more than ten years after `now`, as no gTLD allows. */
  extend(expiry: Date, now: Date): Date {
    const extended = addYears(expiry, this.years);
    if (extended > addYears(now, MAX_YEARS)) throw ValidationError.of('years', 'must not carry the expiry past ten years from now');
    return extended;
  }
}
