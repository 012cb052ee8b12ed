import { ServiceError } from '../../../domain/shared/service-error';
import { waitForNextSlice } from '../../shared/run-cooperatively';
import { settleAll } from '../../shared/settle-all';
import type { SelectedDomain } from '../../../domain/portfolio/bulk-job';

const CONCURRENT = 8;

/** A domain that the single action would refuse, and why. */
export type RefusedDomain = SelectedDomain & { readonly reason: string };

/**
 * Reviews each domain, eight at a time and each in a slice of the event loop, because SQLite reads in this thread. Returns the
 * results in the order of the domains.
 */
export async function reviewEach<Item extends object, T>(
  accountId: string,
  domains: readonly Item[],
  review: (domain: Item) => Promise<T>,
): Promise<{ readonly accepted: readonly T[]; readonly refused: readonly (Item & { readonly reason: string })[] }> {
  const outcomes: ({ readonly result: T } | { readonly refused: Item & { readonly reason: string } })[] = [];
  const waiting = domains.entries();
  const work = async (): Promise<void> => {
    for (const [index, domain] of waiting) {
      await waitForNextSlice(accountId);
      try {
        outcomes[index] = { result: await review(domain) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        outcomes[index] = { refused: { ...domain, reason: error.details ?? error.message } };
      }
    }
  };
  await settleAll(Array.from({ length: CONCURRENT }, work));
  return {
    accepted: outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : [])),
    refused: outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : [])),
  };
}
