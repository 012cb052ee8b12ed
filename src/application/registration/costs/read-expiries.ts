import type { Reader } from '../../../domain/access/actor';
import { sumOf, type CostSum } from '../../../domain/registration/cost-statement';
import { inject, injectable } from '../../ports/inject';
import { LifecycleClock } from '../../ports/system';
import { VisibleDomains } from '../visible-domains';
import { monthsFrom, RenewalCosts } from './renewal-costs';

export interface MonthOfExpiries {
  /** Its first day, at midnight UTC, and that of the next month. */
  readonly from: Date;
  readonly before: Date;
  /** How many domains with automatic renewal expire in it, and how many others. */
  readonly renewing: number;
  readonly ending: number;
  /** What it costs to renew all of them; undefined if they are too many to add up. */
  readonly cost: CostSum | undefined;
}

const MONTHS = 12;
/** Of so many domains, the prices are added up for each view of the overview. */
const MAX_PRICED = 10_000;

/** How many domains expire in each of the next 12 months, and what their renewals cost. */
@injectable()
export class ReadExpiries {
  constructor(
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(RenewalCosts) private readonly costs: RenewalCosts,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async execute(requester: Reader): Promise<readonly MonthOfExpiries[]> {
    const months = monthsFrom(this.clock.now(), 0, MONTHS);
    const [start, end] = [months[0], months.at(-1)];
    if (!start || !end) return [];
    const days = await this.domains.expiring(requester, start, end, 1);
    const total = days.reduce((sum, { renewing, ending }) => sum + renewing + ending, 0);
    const costs = total > 0 && total <= MAX_PRICED ? await this.costs.of(requester, months, 0, 'by-month') : undefined;
    return months.slice(0, -1).map((from, index) => {
      const before = months[index + 1] ?? end;
      const own = days.filter((day) => day.from >= from && day.from < before);
      return {
        from,
        before,
        renewing: own.reduce((sum, { renewing }) => sum + renewing, 0),
        ending: own.reduce((sum, { ending }) => sum + ending, 0),
        cost: costs && sumOf(costs.groups.filter(({ month }) => month === index)),
      };
    });
  }
}
