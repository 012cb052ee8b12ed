import { addDays, addYears } from '../shared/calendar';
import type { RegistryFacts } from './domain';

/** The registry's clock may be ahead of ours. */
const CLOCK_SKEW_DAYS = 1;

/**
 * Whether the last year before the expiry is the one that the registry added by itself when the term ended. The status
 * alone does not say so, because RFC 3915 does not end autoRenewPeriod with a renewal: an expiry more than a year ahead
 * was ordered.
 */
export function endsWithAddedYear({ phase, expiresAt }: Pick<RegistryFacts, 'phase' | 'expiresAt'>, now: Date): boolean {
  return phase === 'auto_renew_grace' && addYears(expiresAt, -1) <= addDays(now, CLOCK_SKEW_DAYS);
}
