import { inject, injectable } from '../ports/inject';
import { addDays, DAY_MS } from '../../domain/shared/calendar';
import type { Money } from '../../domain/shared/money';
import { RenewalSettings } from '../operations/lifecycle-plan';
import type { Reader } from '../../domain/access/actor';
import { VisibleDomains } from './visible-domains';
import type { Expiring } from '../ports/registration/domain-repository';
import { LifecycleClock } from '../ports/system';
import { RegistrationSettings } from './registration-settings';
import { RenewalPriceCache } from './renewal-price-cache';

export interface MonthOfRenewals {
  /** The first day of the month, at midnight UTC. */
  readonly month: Date;
  readonly renewals: number;
  /** The domains that are renewed in this month expire from then on, and before then. */
  readonly expiring: { readonly from: Date; readonly before: Date };
  /** The sum of the known prices; undefined if the account has too many domains to sum them up. */
  readonly cost: Money | undefined;
  /** How many of the renewals have no known price in the service's currency. */
  readonly unpriced: number;
}

const MONTHS = 12;
const WEEKS = 13;
/** So many prices are summed up for a page. */
const MAX_PRICED = 5_000;
const WAIT_MS = 300;

/** What automatic renewals will cost, by the month in which they are due. A renewal that is overdue counts for the current month. */
@injectable()
export class RenewalForecast {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(RenewalPriceCache) private readonly prices: RenewalPriceCache,
    @inject(RenewalSettings) private readonly renewals: RenewalSettings,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async of(requester: Reader): Promise<readonly MonthOfRenewals[]> {
    const months = this.months();
    const [from, before] = [months[0]?.from, months.at(-1)?.before];
    if (!from || !before) return [];
    const counts = await this.domains.expiring(requester, from, before, 1);
    const total = counts.reduce((sum, { renewing }) => sum + renewing, 0);
    const priced = total <= MAX_PRICED ? await this.readPrices(requester, from, before) : undefined;
    return months.map(({ month, ...expiring }) => {
      const isIn = (at: Date): boolean => at >= expiring.from && at < expiring.before;
      const renewals = counts.reduce((sum, { from: day, renewing }) => sum + (isIn(day) ? renewing : 0), 0);
      const known = priced?.filter(({ expiresAt }) => isIn(expiresAt)).map(({ price }) => price.minor);
      return {
        month,
        renewals,
        expiring,
        cost: known && { minor: known.reduce((sum, minor) => sum + minor, 0), currency: this.settings.currency },
        unpriced: Math.max(0, renewals - (known?.length ?? 0)),
      };
    });
  }

  /** How many domains expire in each of the next 13 weeks, which cover 90 days. */
  async expiringWeeks(requester: Reader): Promise<{ readonly from: Date; readonly weeks: readonly Expiring[] }> {
    const from = this.midnight();
    return { from, weeks: await this.domains.expiring(requester, from, addDays(from, WEEKS * 7), 7) };
  }

  private async readPrices(requester: Reader, from: Date, before: Date) {
    const domains = await this.domains.renewing(requester, from, before, MAX_PRICED);
    const prices = await this.prices.of(requester.accountId, domains, WAIT_MS);
    return domains.flatMap(({ id, expiresAt }) => {
      const price = prices.get(id);
      return price?.currency === this.settings.currency ? [{ expiresAt, price }] : [];
    });
  }

  /** Each month with the expiries whose renewal is due in it. The first begins with today's expiries. */
  private months(): readonly { readonly month: Date; readonly from: Date; readonly before: Date }[] {
    const now = this.clock.now();
    const monthAt = (index: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index, 1));
    return Array.from({ length: MONTHS }, (_, index) => ({
      month: monthAt(index),
      from: index === 0 ? this.midnight() : addDays(monthAt(index), this.renewals.leadDays),
      before: addDays(monthAt(index + 1), this.renewals.leadDays),
    }));
  }

  private midnight(): Date {
    const now = this.clock.now().getTime();
    return new Date(now - (now % DAY_MS));
  }
}
