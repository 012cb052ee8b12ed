import { token } from '../inject';
import type { Proposal, ProposalState } from '../../../domain/access/proposals/proposal';
import type { ListPosition } from '../storage/page';

/** Within a unit of work. */
export interface ProposalRepository {
  lock(accountId: string, id: string): Promise<Proposal | undefined>;
  add(proposal: Proposal): Promise<void>;
  save(proposal: Proposal): Promise<void>;
}

export interface ProposalFilter {
  /** Those that are open or being accepted at `at`, or the others. Absent: all. */
  readonly undecided?: { readonly is: boolean; readonly at: Date } | undefined;
  /** As `actorText` writes it. */
  readonly proposer?: string | undefined;
}

/** Without what may be megabytes long. */
export type ListedProposal = Omit<ProposalState, 'sealedBody' | 'plan' | 'currentPlan'>;

export type ProposalKey = Pick<ProposalState, 'accountId' | 'id'>;

/** As plans have it. */
export interface PlannedCost {
  readonly amount: number;
  readonly currency: string;
}

/** Reads committed state. */
export interface ProposalReader {
  find(accountId: string, id: string): Promise<Proposal | undefined>;
  /** Newest first. */
  page(
    accountId: string,
    filter: ProposalFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ListedProposal[]>;
  /** Those of all accounts that ended before anyone decided on them, and are not stored as `expired` yet. */
  expired(now: Date, limit: number): Promise<readonly ProposalKey[]>;
  countUndecided(accountId: string, now: Date): Promise<number>;
  /** What the undecided ones of a proposer cost together, in whole units, by currency. @param proposer as `actorText` writes it */
  undecidedCosts(accountId: string, proposer: string, now: Date): Promise<readonly PlannedCost[]>;
}
export const ProposalReader = token<ProposalReader>('ProposalReader');
