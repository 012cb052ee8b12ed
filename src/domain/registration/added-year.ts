import { addDays, addYears } from '../shared/calendar';
import type { RegistryFacts } from './domain';

/** The registry's clock may be ahead of ours, and after 29 February a year may end a day earlier. */
const CLOCK_SKEW_DAYS = 1;

/**
 * Whether the last year before the expiry is the one that the registry added by itself when the term ended. The status
 * alone does not say so, because RFC 3915 does not end autoRenewPeriod with a renewal: an expiry more than a year ahead
 * was ordered.
 */
export function endsWithAddedYear({ phase, expiresAt }: Pick<RegistryFacts, 'phase' | 'expiresAt'>, now: Date): boolean {
  return phase === 'auto_renew_grace' && addYears(expiresAt, -1) <= addDays(now, CLOCK_SKEW_DAYS);
}

/**
 * Whether the registry may have added a year by itself when the term that was paid for ended. Some renew at expiry without
 * showing autoRenewPeriod: an expiry that moved ahead after the term had ended, without an order of ours, is such a year.
 */
export function mayHaveAddedYear({ phase, expiresAt }: Pick<RegistryFacts, 'phase' | 'expiresAt'>, termEnd: Date, now: Date): boolean {
  if (phase !== 'registered') return phase === 'auto_renew_grace';
  const former = addYears(expiresAt, -1);
  return termEnd <= now && former >= addDays(termEnd, -CLOCK_SKEW_DAYS) && former <= addDays(now, CLOCK_SKEW_DAYS);
}
