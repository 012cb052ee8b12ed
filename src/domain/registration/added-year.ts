import { addDays, addYears, isYearsAfter, sameDay } from '../shared/time/calendar';
import type { DomainStatus } from './domain-status';
import type { RegistryFacts } from './registry-facts';

type Expiry = Pick<RegistryFacts, 'phase' | 'expiresAt' | 'addedYears'>;

/** The registry's clock can be ahead of ours, and after 29 February a year can end a day earlier. */
const CLOCK_SKEW_DAYS = 1;

/** How many years the registry adds automatically when the term ends. */
export function addedYears({ addedYears: years = 1 }: Pick<Expiry, 'addedYears'>): number {
  return years;
}

/**
 * Whether the registry added the last years before the expiry automatically. The status is not enough: RFC 3915 does not
 * end autoRenewPeriod with a renewal, so an expiry further ahead was ordered.
 */
export function endsWithAddedYear(facts: Expiry, now: Date): boolean {
  return facts.phase === 'auto_renew_grace' && withoutAddedYear(facts) <= addDays(now, CLOCK_SKEW_DAYS);
}

/** The expiry before the automatic renewal. */
export function withoutAddedYear(facts: Expiry): Date {
  return addYears(facts.expiresAt, -addedYears(facts));
}

/**
 * Whether the registry may have added a year when the paid term ended. Some registries renew at expiry without showing
 * autoRenewPeriod; then an expiry that moved around or after the end of the term, without an order of ours, is an added year.
 */
export function mayHaveAddedYear(facts: Expiry, termEnd: Date, now: Date): boolean {
  const { phase } = facts;
  if (phase !== 'registered') return phase === 'auto_renew_grace';
  const former = withoutAddedYear(facts);
  return (
    termEnd <= addDays(now, CLOCK_SKEW_DAYS) &&
    former >= addDays(termEnd, -CLOCK_SKEW_DAYS) &&
    former <= addDays(now, CLOCK_SKEW_DAYS)
  );
}

/** Whether the registry added its years to the paid term, and no renewal was added to that. */
export function hasAddedYear(facts: Expiry, termEnd: Date, now: Date): boolean {
  return mayHaveAddedYear(facts, termEnd, now) && isYearsAfter(facts.expiresAt, termEnd, addedYears(facts));
}

/** The reported end of the term, without a year that the registry added at expiry and that is not paid. */
export function paidExpiry(
  { status, expiresAt: known }: { readonly status: DomainStatus; readonly expiresAt: Date },
  facts: RegistryFacts,
  now: Date,
): Date {
  const { expiresAt } = facts;
  if (facts.registrarRenews) return expiresAt;
  const isAdded =
    endsWithAddedYear(facts, now) ||
    ((status === 'active' || status === 'expired') &&
      facts.phase === 'registered' &&
      mayHaveAddedYear(facts, known, now));
  return isAdded && !sameDay(known, expiresAt) ? withoutAddedYear(facts) : expiresAt;
}
