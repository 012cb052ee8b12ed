import { token } from '../inject';
import type { CostGroup } from '../../../domain/registration/cost-statement';

/** Which domains are counted: all of the account, or those with one of the names, or with one of the tags. */
export interface CostFilter {
  readonly names?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface CostGroups {
  readonly groups: readonly CostGroup[];
  /** Whether there was more than is summed up for a page: the earliest charges, or the last renewals, are left out. */
  readonly isCut: boolean;
  /** Whether the tags are left out, because there are too many different sets of them. */
  readonly tagsAreCut: boolean;
  /** Renewals whose prices no registry was asked for. */
  readonly unasked: number;
}

/** Sums of one account's costs, read in parts of a few milliseconds. Months are given by their beginnings; the last one is the end. */
export interface CostQueries {
  /** What registries charged, as their responses said, in the time in which domains live. */
  charged(accountId: string, months: readonly Date[], filter: CostFilter): Promise<CostGroups>;
  /**
   * What renewals of active domains cost, as registries quoted last: automatic ones `leadMs` before the expiry, at the earliest in the
   * first month; others at the expiry. Groups by month have neither TLDs nor tags.
   */
  renewals(
    accountId: string,
    months: readonly Date[],
    leadMs: number,
    filter: CostFilter,
    grouping?: 'by-month' | 'in-full',
  ): Promise<CostGroups>;
}
export const CostQueries = token<CostQueries>('CostQueries');
