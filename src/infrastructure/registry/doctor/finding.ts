import { quantityText } from '../../../domain/shared/text/quantity-text';

/** The result of one check of a registry, for `registry doctor`. */
export interface DoctorFinding {
  readonly check:
    | 'host'
    | 'tcp'
    | 'tls'
    | 'client_certificate'
    | 'greeting'
    | 'login'
    | 'authentication'
    | 'balance'
    | 'clock'
    | 'list'
    | 'availability'
    | 'price'
    | 'password'
    | 'features';
  /** `unknown`: the adapter cannot determine it. */
  readonly outcome: 'ok' | 'failed' | 'unsupported' | 'unknown';
  readonly detail: string;
  /** What to do, for a failure. */
  readonly fix?: string;
}

/** Beyond this, comparisons of the registry's times with ours mislead. */
const MAX_SKEW_MS = 60_000;
const EXPIRES_SOON_DAYS = 14;

export function clockFinding(whose: string, theirs: Date, ours: Date): DoctorFinding {
  const skewMs = theirs.getTime() - ours.getTime();
  const detail = `the ${whose}'s clock differs by ${Math.round(Math.abs(skewMs) / 1_000)} s`;
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return { check: 'clock', outcome: 'ok', detail };
  return { check: 'clock', outcome: 'failed', detail, fix: 'synchronize the clock of this machine (NTP)' };
}

/** `certificate valid for 90 days`; near its end, followed by who renews it. */
export function certificateText(until: Date, now: Date, renewal: string): string {
  const days = Math.floor((until.getTime() - now.getTime()) / 86_400_000);
  const detail = `certificate valid for ${quantityText(days, 'day')}`;
  return days < EXPIRES_SOON_DAYS ? `${detail}: ${renewal}` : detail;
}
