import { inject, injectable } from '../ports/inject';
import { actorText } from '../../domain/access/actor';
import type { SpendLimits } from '../../domain/access/key-limits';
import type { ProposalState } from '../../domain/access/proposals/proposal';
import { ApiKeyReader } from '../ports/access/accounts-and-api-keys';
import { ProposalReader, type PlannedCost } from '../ports/access/proposals';
import { Clock } from '../ports/system';

/** The limit of a key on spend, and what its undecided proposals cost together. */
export interface SpendOfProposer {
  readonly limits: SpendLimits;
  readonly undecided: readonly PlannedCost[];
}

/** What a key would spend if its proposals were accepted, for who decides: the limit holds for the key that accepts. */
@injectable()
export class ProposedSpend {
  constructor(
    @inject(ProposalReader) private readonly proposals: Pick<ProposalReader, 'undecidedCosts'>,
    @inject(ApiKeyReader) private readonly keys: Pick<ApiKeyReader, 'find'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Undefined unless the proposer is a key with a limit on spend. */
  async of({
    accountId,
    proposer,
  }: Pick<ProposalState, 'accountId' | 'proposer'>): Promise<SpendOfProposer | undefined> {
    const key = proposer.kind === 'key' ? await this.keys.find(proposer.id) : undefined;
    const limits = key?.toState().limits?.spend;
    if (!limits) return undefined;
    return { limits, undecided: await this.proposals.undecidedCosts(accountId, actorText(proposer), this.clock.now()) };
  }
}
