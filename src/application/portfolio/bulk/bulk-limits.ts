import { MAX_DAILY_BULK, type BulkJob } from '../../../domain/portfolio/bulk-job';
import { BulkLimitReached } from '../../../domain/registration/registration-errors';
import { DAY_MS } from '../../../domain/shared/time/calendar';
import type { Stores } from '../../ports/storage/unit-of-work';

const RETRY_AFTER_S = 3_600;
const LONG_JOB = 1_000;

/** Whether its items are stored as long work, which takes turns with the short work of other accounts. */
export function isLongJob({ total }: Pick<BulkJob, 'total'>): boolean {
  return total > LONG_JOB;
}

/** Jobs that start or are retried at once are counted one after the other. @throws BulkLimitReached */
export async function assertBulkAllowed(
  { accounts, bulkJobs }: Pick<Stores, 'accounts' | 'bulkJobs'>,
  { accountId, at, domains }: { readonly accountId: string; readonly at: Date; readonly domains: number },
): Promise<void> {
  await accounts.lock(accountId);
  const begun = await bulkJobs.startedSince(accountId, new Date(at.getTime() - DAY_MS));
  if (begun.jobs >= MAX_DAILY_BULK.jobs || begun.domains + domains > MAX_DAILY_BULK.domains)
    throw new BulkLimitReached(MAX_DAILY_BULK, RETRY_AFTER_S);
}
