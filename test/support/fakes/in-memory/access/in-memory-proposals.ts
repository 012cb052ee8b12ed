import type {
  ListedProposal,
  PlannedCost,
  ProposalFilter,
  ProposalKey,
  ProposalReader,
  ProposalRepository,
} from '../../../../../src/application/ports/access/proposals';
import type { ListPosition } from '../../../../../src/application/ports/storage/page';
import { actorText } from '../../../../../src/domain/access/actor';
import { Proposal, statusAt, type ProposalState } from '../../../../../src/domain/access/proposals/proposal';
import type { Tables } from '../tables';

export class InMemoryProposalReader implements ProposalReader {
  constructor(private readonly committed: () => Tables) {}

  async find(accountId: string, id: string): Promise<Proposal | undefined> {
    const state = this.committed().proposals.get(id);
    return state?.accountId === accountId ? Proposal.fromState(state) : undefined;
  }

  async page(
    accountId: string,
    { undecided, proposer }: ProposalFilter,
    limit: number,
    after?: ListPosition,
  ): Promise<readonly ListedProposal[]> {
    return this.of(accountId, undecided)
      .filter((each) => proposer === undefined || actorText(each.proposer) === proposer)
      .filter((each) => !after || isBefore(each, after))
      .toSorted((one, other) => (isBefore(one, other) ? 1 : -1))
      .slice(0, limit);
  }

  async expired(now: Date, limit: number): Promise<readonly ProposalKey[]> {
    return [...this.committed().proposals.values()]
      .filter((each) => each.status !== 'expired' && statusAt(each, now) === 'expired')
      .slice(0, limit);
  }

  async countUndecided(accountId: string, now: Date): Promise<number> {
    return this.of(accountId, { is: true, at: now }).length;
  }

  async undecidedCosts(accountId: string, proposer: string, now: Date): Promise<readonly PlannedCost[]> {
    const costs = this.of(accountId, { is: true, at: now })
      .filter((each) => actorText(each.proposer) === proposer)
      .flatMap(({ plan }) => (plan as { readonly cost?: PlannedCost }).cost ?? []);
    const sums = new Map<string, number>();
    for (const { amount, currency } of costs) sums.set(currency, (sums.get(currency) ?? 0) + amount);
    return [...sums].map(([currency, amount]) => ({ amount, currency }));
  }

  private of(accountId: string, undecided: ProposalFilter['undecided']): readonly ProposalState[] {
    return [...this.committed().proposals.values()].filter(
      (each) =>
        each.accountId === accountId &&
        (!undecided || ['open', 'accepting'].includes(statusAt(each, undecided.at)) === undecided.is),
    );
  }
}

function isBefore(one: ListPosition, other: ListPosition): boolean {
  const difference = one.createdAt.getTime() - other.createdAt.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id);
}

export class InMemoryProposals implements ProposalRepository {
  constructor(private readonly tables: Tables) {}

  async lock(accountId: string, id: string): Promise<Proposal | undefined> {
    const state = this.tables.proposals.get(id);
    return state?.accountId === accountId ? Proposal.fromState(state) : undefined;
  }

  async add(proposal: Proposal): Promise<void> {
    this.tables.proposals.set(proposal.id, proposal.toState());
  }

  async save(proposal: Proposal): Promise<void> {
    this.tables.proposals.set(proposal.id, proposal.toState());
  }
}
