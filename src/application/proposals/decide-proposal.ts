import { inject, injectable } from '../ports/inject';
import { approvalRulesOf, type Requester } from '../../domain/access/actor';
import type { AuditAction } from '../../domain/access/audit-entry';
import { asIfAccepted, assertActionAllowed, mayOnlyPropose } from '../../domain/access/key-permissions';
import { hasSameEffect } from '../../domain/access/proposals/plan-effect';
import type { Proposal, ProposalDecision, ProposalPlan } from '../../domain/access/proposals/proposal';
import {
  ProposalNotFound,
  ProposalStale,
  ProposerDecides,
  type PlanOvertaken,
} from '../../domain/access/proposals/proposal-errors';
import { ProposalReader } from '../ports/access/proposals';
import { People } from '../access/approvals/people';
import { proposalFact } from '../audit/proposal-audit';
import { maySeeProposal } from './find-proposals';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';

export interface DecideProposalCommand extends Requester {
  readonly proposalId: string;
  readonly comment: string | null;
}

/** What the write would do now. */
export interface PresentPlan {
  readonly plan: ProposalPlan;
  /** The version of the zone that it would change. */
  readonly ifMatch?: string | undefined;
}

export interface RefusedWrite {
  readonly error: { readonly code: string; readonly message: string };
  /** The version that it was sent for. */
  readonly refused: string | undefined;
  /** What it would do now; undefined: that is not known. */
  readonly now: PresentPlan | undefined;
  /** Whether it is not to be sent again, also if only the version has changed. */
  readonly isLast: boolean;
}

const OVERTAKEN: PlanOvertaken['code'] = 'PRECONDITION_FAILED';

/** Returns what is to be told of it, if anything. */
type Change = (
  proposal: Proposal,
  decision: ProposalDecision,
) => Extract<AuditAction, `proposal.${string}`> | undefined;

const reject: Change = (proposal, decision) => {
  proposal.reject(decision);
  return 'proposal.rejected';
};

const withdraw: Change = (proposal, decision) => {
  proposal.withdraw(decision);
  return 'proposal.withdrawn';
};

/**
 * Accepts, rejects and withdraws proposals. An acceptance is stored before the write is sent, which is recognized by the proposal's id
 * as by an Idempotency-Key: any number of acceptances has one effect, and a repeated one ends what a killed process began.
 */
@injectable()
export class DecideProposal {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<HookStore | 'audit' | 'proposals'>,
    @inject(ProposalReader) private readonly proposals: Pick<ProposalReader, 'find'>,
    @inject(People) private readonly people: Pick<People, 'areSame'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Returns the proposal whose write is to be sent, with the rights of who accepts it.
   * @throws ProposalNotFound, ProposalClosed, ProposerDecides, ProposalStale
   */
  async accept(command: DecideProposalCommand, { plan, ifMatch }: PresentPlan): Promise<Proposal> {
    await this.assertSecondPerson(command);
    const accepted = await this.decide(command, 'proposal.accepted', (proposal, decision) => {
      if (proposal.isAcceptedAgain(decision.actor, decision.at)) return undefined;
      if (hasSameEffect(proposal.toState().plan, plan)) proposal.accept(decision, ifMatch);
      else proposal.markStale(plan, decision);
      return proposal.isAccepting() ? 'proposal.accepted' : 'proposal.stale';
    });
    if (!accepted.isAccepting()) throw new ProposalStale();
    return accepted;
  }

  /** Stores that the write was done. */
  async end(command: DecideProposalCommand): Promise<Proposal> {
    return this.decide(command, 'proposal.accepted', (proposal, { at }) => {
      proposal.markDone(at);
      return undefined;
    });
  }

  /**
   * Stores that the write was refused: the proposal is stale if it would do something else now, and failed if not. It is still accepted
   * if only the version has changed, or something else that is as before again, or if another acceptance has sent it since: it is to be
   * sent again.
   */
  async endRefused(command: DecideProposalCommand, { error, refused, now, isLast }: RefusedWrite): Promise<Proposal> {
    return this.decide(command, 'proposal.failed', (proposal, decision) => {
      const { plan } = proposal.toState();
      if (!proposal.isAccepting() || proposal.sentFor !== refused) return undefined;
      if (now && !hasSameEffect(plan, now.plan)) {
        proposal.markStale(now.plan, decision);
        return 'proposal.stale';
      }
      if (!isLast && now?.ifMatch !== undefined && now.ifMatch !== refused) {
        proposal.renewVersion(now.ifMatch, decision.at);
        return undefined;
      }
      if (!isLast && now && refused === undefined && error.code === OVERTAKEN) return undefined;
      proposal.markFailed(error, decision.at);
      return 'proposal.failed';
    });
  }

  /** @throws LimitedKey, ProposalNotFound, ProposalClosed, ProposerDecides */
  async reject(command: DecideProposalCommand, hook?: TransactionHook<Proposal>): Promise<Proposal> {
    assertActionAllowed(asIfAccepted(command.actor), 'settings');
    return this.decide(command, 'proposal.rejected', reject, hook);
  }

  /** @throws ProposalNotFound, ProposalClosed, ProposerDecides */
  async withdraw(command: DecideProposalCommand, hook?: TransactionHook<Proposal>): Promise<Proposal> {
    return this.decide(command, 'proposal.withdrawn', withdraw, hook);
  }

  /** Where rules ask for a second person, a key counts as who made it. @throws ProposerDecides */
  private async assertSecondPerson({ accountId, actor, proposalId }: DecideProposalCommand): Promise<void> {
    if (approvalRulesOf(actor).length === 0) return;
    const proposal = await this.proposals.find(accountId, proposalId);
    if (proposal && (await this.people.areSame(actor, proposal.toState().proposer)))
      throw new ProposerDecides('decide');
  }

  private async decide(
    { accountId, actor, proposalId, comment }: DecideProposalCommand,
    what: AuditAction,
    change: Change,
    hook?: TransactionHook<Proposal>,
  ): Promise<Proposal> {
    // A key that may only propose can withdraw what it has proposed.
    if (what !== 'proposal.withdrawn' && mayOnlyPropose(actor)) throw new ProposerDecides('decide');
    const at = this.clock.now();
    return this.unitOfWork.run(async (stores) => {
      const { audit, proposals } = stores;
      const proposal = await proposals.lock(accountId, proposalId);
      if (!proposal || !maySeeProposal(actor, proposal.toState())) throw new ProposalNotFound();
      const action = change(proposal, { actor, comment, at });
      await proposals.save(proposal);
      if (action) await audit.append(proposalFact(proposal, action, actor, at));
      await hook?.(stores, proposal);
      return proposal;
    }, accountId);
  }
}
