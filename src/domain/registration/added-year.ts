import { addDays, addYears, isYearsAfter } from '../shared/calendar';
import type { RegistryFacts } from './domain';

type Expiry = Pick<RegistryFacts, 'phase' | 'expiresAt' | 'addedYears'>;

/** The registry's clock may be ahead of ours, and after 29 February a year may end a day earlier. */
const CLOCK_SKEW_DAYS = 1;

/** The years that the registry adds by itself when the term of this domain ends. */
export function addedYears({ addedYears: years = 1 }: Pick<Expiry, 'addedYears'>): number {
  return years;
}

/**
 * Whether the years before the expiry are those that the registry added by itself when the term ended. The status alone does
 * not say so, because RFC 3915 does not end autoRenewPeriod with a renewal: an expiry further ahead was ordered.
 */
export function endsWithAddedYear(facts: Expiry, now: Date): boolean {
  return facts.phase === 'auto_renew_grace' && withoutAddedYear(facts) <= addDays(now, CLOCK_SKEW_DAYS);
}

/** The expiry before the registry added to it. */
export function withoutAddedYear(facts: Expiry): Date {
  return addYears(facts.expiresAt, -addedYears(facts));
}

/**
 * Whether the registry may have added a year by itself when the term that was paid for ended. Some renew at expiry without
 * showing autoRenewPeriod: an expiry that moved ahead after the term had ended, without an order of ours, is such a year.
 */
export function mayHaveAddedYear(facts: Expiry, termEnd: Date, now: Date): boolean {
  const { phase } = facts;
  if (phase !== 'registered') return phase === 'auto_renew_grace';
  const former = withoutAddedYear(facts);
  return termEnd <= now && former >= addDays(termEnd, -CLOCK_SKEW_DAYS) && former <= addDays(now, CLOCK_SKEW_DAYS);
}

/** Whether the registry has added to the term that was paid for, and nothing came on top of that. */
export function hasAddedYear(facts: Expiry, termEnd: Date, now: Date): boolean {
  return mayHaveAddedYear(facts, termEnd, now) && isYearsAfter(facts.expiresAt, termEnd, addedYears(facts));
}
