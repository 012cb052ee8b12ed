import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { Proposal, proposedBodyPurpose, type ProposalPlan } from '../../domain/access/proposals/proposal';
import { LimitExceeded } from '../../domain/dns/dns-errors';
import { proposalFact } from '../audit/proposal-audit';
import { ProposalReader } from '../ports/access/proposals';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, IdGenerator, SecretBox } from '../ports/system';

export interface ProposeWriteCommand extends Requester {
  readonly method: string;
  readonly path: string;
  readonly ifMatch?: string | undefined;
  readonly body: unknown;
  readonly reason: string;
  readonly plan: ProposalPlan;
  /** When the write could no longer be done; absent: never. */
  readonly endsAt?: Date | undefined;
}

const MAX_UNDECIDED = 1_000;

/** Stores a write, and what it would do, until someone else decides on it. @throws ValidationError, LimitExceeded */
@injectable()
export class ProposeWrite {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'proposals' | HookStore>,
    @inject(ProposalReader) private readonly proposals: ProposalReader,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(command: ProposeWriteCommand, hook?: TransactionHook<Proposal>): Promise<Proposal> {
    const { accountId, actor, method, path, ifMatch, body, reason, plan, endsAt } = command;
    const now = this.clock.now();
    if ((await this.proposals.countUndecided(accountId, now)) >= MAX_UNDECIDED)
      throw new LimitExceeded(`The account has ${MAX_UNDECIDED} proposals that no one has decided on`);
    const id = this.ids.next('prop');
    const sealedBody = body === undefined ? null : this.secrets.seal(JSON.stringify(body), proposedBodyPurpose(id));
    const write = { method, path, ...(ifMatch !== undefined && { ifMatch }) };
    const proposal = Proposal.propose({ id, accountId, proposer: actor, write, sealedBody, reason, plan }, now, endsAt);
    await this.unitOfWork.run(async (stores) => {
      await stores.proposals.add(proposal);
      await stores.audit.append(proposalFact(proposal, 'proposal.created', actor, now));
      await hook?.(stores, proposal);
    }, accountId);
    return proposal;
  }
}
