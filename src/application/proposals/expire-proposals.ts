import { inject, injectable } from '../ports/inject';
import { SERVICE } from '../../domain/access/actor';
import { proposalFact } from '../audit/proposal-audit';
import { ProposalReader, type ProposalKey } from '../ports/access/proposals';
import { Leases } from '../ports/storage/replicas';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock, Log } from '../ports/system';
import { LeasedLoop } from '../shared/leases/leased-loop';
import { Outage } from '../shared/outage';

const CHECK_EVERY_MS = 60_000;
const PROPOSALS_AT_ONCE = 100;

/**
 * Stores that proposals have expired, and tells of it, in one process at a time. Each is locked and its state changes in the transaction
 * of the event, so that the event is written once, also if a process has lost its lease or is killed.
 */
@injectable()
export class ExpireProposals extends LeasedLoop {
  constructor(
    @inject(ProposalReader) private readonly proposals: Pick<ProposalReader, 'expired'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'proposals'>,
    @inject(Leases) leases: Leases,
    @inject(Clock) private readonly clock: Clock,
    @inject(Log) log: Log,
  ) {
    super(leases, 'proposal-expiry', CHECK_EVERY_MS, new Outage(log, 'ending proposals that have expired'));
  }

  async runDue(stopping: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !stopping.aborted;) {
      const due = await this.due(PROPOSALS_AT_ONCE);
      isMore = due.length === PROPOSALS_AT_ONCE;
      for (const each of due) if (!stopping.aborted) await this.expire(each);
    }
  }

  protected async hasDue(): Promise<boolean> {
    return (await this.due(1)).length > 0;
  }

  private due(limit: number): Promise<readonly ProposalKey[]> {
    return this.proposals.expired(this.clock.now(), limit);
  }

  private async expire({ accountId, id }: ProposalKey): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.run(async ({ audit, proposals }) => {
      const proposal = await proposals.lock(accountId, id);
      if (!proposal?.expire(at)) return;
      await proposals.save(proposal);
      await audit.append(proposalFact(proposal, 'proposal.expired', SERVICE, at));
    }, accountId);
  }
}
