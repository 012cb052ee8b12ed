import type { Reader } from '../../../domain/access/actor';
import { limitsOf } from '../../../domain/access/key-permissions';
import { addDays, DAY_MS } from '../../../domain/shared/time/calendar';
import { inject, injectable } from '../../ports/inject';
import { CostQueries, type CostGroups } from '../../ports/portfolio/portfolio-repositories';
import { readInTurn } from '../../shared/pages-of';
import { RenewalPriceCache } from '../renewal-price-cache';
import { VisibleDomains } from '../visible-domains';

/** So many prices of each kind of renewal are asked for at a time. */
const MAX_ASKED = 500;
const WAIT_MS = 300;

/** What renewals cost in each month. Registries are asked in the background for prices that are not known yet. */
@injectable()
export class RenewalCosts {
  constructor(
    @inject(CostQueries) private readonly costs: CostQueries,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(RenewalPriceCache) private readonly prices: RenewalPriceCache,
  ) {}

  /** @param months their beginnings, and the end of the last @param leadDays between an automatic renewal and the expiry */
  async of(
    requester: Reader,
    months: readonly Date[],
    leadDays: number,
    grouping: 'by-month' | 'in-full',
  ): Promise<CostGroups> {
    const { accountId, actor } = requester;
    const { domains: names, tags } = limitsOf(actor) ?? {};
    const read = () =>
      readInTurn(accountId, () => this.costs.renewals(accountId, months, leadDays * DAY_MS, { names, tags }, grouping));
    const found = await read();
    const [from, before] = [months[0], months.at(-1)];
    if (!from || !before || found.unasked === 0) return found;
    const [renewing, ending] = await Promise.all([
      this.domains.renewing(requester, from, addDays(before, leadDays), MAX_ASKED),
      this.domains.ending(requester, before, MAX_ASKED),
    ]);
    await this.prices.of(accountId, [...renewing, ...ending], WAIT_MS);
    return read();
  }
}

/** The beginnings of so many months, the first of them so many after the present one, and the end of the last. */
export function monthsFrom(now: Date, first: number, count: number): readonly Date[] {
  return Array.from(
    { length: count + 1 },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + first + index, 1)),
  );
}
