import type { Reader } from '../../../domain/access/actor';
import { assertActionAllowed, assertNotForRecordsOnly, limitsOf } from '../../../domain/access/key-permissions';
import type { CostGroup } from '../../../domain/registration/cost-statement';
import { RenewalSettings } from '../../operations/lifecycle-plan';
import { inject, injectable } from '../../ports/inject';
import { CostQueries } from '../../ports/portfolio/portfolio-repositories';
import { LifecycleClock } from '../../ports/system';
import { readInTurn } from '../../shared/pages-of';
import { monthsFrom, RenewalCosts } from './renewal-costs';

export interface CostReport {
  /** The first days of 24 months, at midnight UTC: 11 past ones, the present one twice, as charged and as expected, and 11 to come. */
  readonly months: readonly Date[];
  /** Their months are places in `months`. */
  readonly groups: readonly CostGroup[];
  readonly isCut: boolean;
  /** Whether the tags are left out, because there are too many different sets of them. */
  readonly tagsAreCut: boolean;
}

/** How many months are shown before and after, each with the present one. */
export const COST_MONTHS = 12;

/** What registries charged in the last 12 months, and what the renewals of the next 12 cost. @throws LimitedKey */
@injectable()
export class ReadCosts {
  constructor(
    @inject(CostQueries) private readonly costs: CostQueries,
    @inject(RenewalCosts) private readonly renewalCosts: RenewalCosts,
    @inject(RenewalSettings) private readonly renewals: RenewalSettings,
    @inject(LifecycleClock) private readonly clock: LifecycleClock,
  ) {}

  async execute(requester: Reader): Promise<CostReport> {
    const { accountId, actor } = requester;
    assertActionAllowed(actor, 'read');
    assertNotForRecordsOnly(actor);
    const { domains: names, tags } = limitsOf(actor) ?? {};
    const now = this.clock.now();
    const [past, future] = [monthsFrom(now, 1 - COST_MONTHS, COST_MONTHS), monthsFrom(now, 0, COST_MONTHS)];
    const [charged, expected] = await Promise.all([
      readInTurn(accountId, () => this.costs.charged(accountId, past, { names, tags })),
      this.renewalCosts.of(requester, future, this.renewals.leadDays, 'in-full'),
    ]);
    return {
      months: [...past.slice(0, -1), ...future.slice(0, -1)],
      groups: [...charged.groups, ...expected.groups.map((group) => ({ ...group, month: group.month + COST_MONTHS }))],
      isCut: charged.isCut || expected.isCut,
      tagsAreCut: charged.tagsAreCut || expected.tagsAreCut,
    };
  }
}
