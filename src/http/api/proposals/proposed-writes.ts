import { inject, injectable } from '../../../application/ports/inject';
import { BindingQuotes } from '../../../application/operations/binding-quotes';
import { Log } from '../../../application/ports/system';
import { DecideProposal } from '../../../application/proposals/decide-proposal';
import { FindProposals } from '../../../application/proposals/find-proposals';
import type { TransactionHook } from '../../../application/ports/storage/unit-of-work';
import { ProposeWrite } from '../../../application/proposals/propose-write';
import { asIfAccepted } from '../../../domain/access/key-permissions';
import type { Proposal, ProposalPlan } from '../../../domain/access/proposals/proposal';
import { ProposalStale } from '../../../domain/access/proposals/proposal-errors';
import { errorResult } from '../../shared/error-handler';
import type { JsonResult } from '../../shared/result';
import { isTransient } from '../idempotency';
import { ApiWrites, type ApiWrite, type WriteCaller } from './api-writes';
import { WritePlans } from './write-plans';

export interface Acceptance extends WriteCaller {
  readonly proposalId: string;
  readonly comment: string | null;
}

/** Orders, which take a `max_price`. */
const ORDERS = /^\/api\/(domains|transfers|domains\/[^/]+\/(renew|restore))$/;
/** States, which have one if they register the name. */
const STATES = /\/by-name\/[^/]+\/state$/;

/** For new versions of a zone that others change again and again. */
const MOST_SENDS = 10;

/** Proposes writes of the API, and sends those that are accepted. */
@injectable()
export class ProposedWrites {
  constructor(
    @inject(ApiWrites) private readonly writes: ApiWrites,
    @inject(WritePlans) private readonly plans: WritePlans,
    @inject(ProposeWrite) private readonly proposeWrite: ProposeWrite,
    @inject(DecideProposal) private readonly decide: DecideProposal,
    @inject(FindProposals) private readonly find: FindProposals,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
    @inject(Log) private readonly log: Log,
  ) {}

  /** @throws ValidationError, InsufficientScope, LimitExceeded, and what the write would be refused with now */
  async propose(
    caller: WriteCaller,
    write: ApiWrite,
    reason: string,
    hook?: TransactionHook<Proposal>,
  ): Promise<Proposal> {
    const { accountId, actor } = caller;
    const { plan } = await this.plans.planOf(caller, write);
    const endsAt = this.quotes.endOf(accountId, { quoteId: quoteIdOf(write.body) });
    return this.proposeWrite.execute({ accountId, actor, ...write, reason, plan, endsAt }, hook);
  }

  /**
   * Sends the write with the rights of who accepts it, if it would still do what its plan says.
   * @throws ProposalNotFound, ProposalClosed, ProposerDecides, ProposalStale, InsufficientScope
   */
  async accept(acceptance: Acceptance): Promise<{ readonly proposal: Proposal; readonly response: JsonResult }> {
    const { accountId, actor, scope, proposalId, comment } = acceptance;
    const caller = { accountId, actor: asIfAccepted(actor), scope };
    const command = { accountId, actor, proposalId, comment };
    const proposal = await this.find.byId(command);
    const write = this.writeOf(proposal);
    const present = proposal.isAccepting() ? { plan: {} } : await this.presentPlan(caller, write, proposal);
    let accepted = await this.decide.accept(command, present);
    for (let sends = 1; ; sends += 1) {
      const sent = atMost({ ...write, ifMatch: accepted.sentFor }, accepted);
      const response = await this.writes.run(caller, sent, proposalId, (run) =>
        this.plans.keepTo(proposal.toState().plan, caller, sent, run),
      );
      if (isTransient(response)) return { proposal: accepted, response };
      if (response.status < 400) return { proposal: await this.decide.end(command), response };
      const refused = accepted.sentFor;
      const now = response.status === 403 ? undefined : await this.presentPlan(caller, write, proposal);
      accepted = await this.decide.endRefused(command, {
        error: errorOf(response),
        refused,
        now,
        isLast: sends === MOST_SENDS,
      });
      if (accepted.toState().status === 'stale') throw new ProposalStale();
      if (['failed', 'expired'].includes(accepted.toState().status)) return { proposal: accepted, response };
    }
  }

  /** What the write would do now. A write that would be refused has no plan any more, but the error. */
  private async presentPlan(caller: WriteCaller, write: ApiWrite, proposal: Proposal) {
    try {
      return await this.plans.planOf(caller, write);
    } catch (error) {
      const refusal = errorResult(error, write.path, this.log);
      if (isTransient(refusal) || refusal.status === 403) throw error;
      return { plan: { error: errorOf(refusal), of: proposal.id } };
    }
  }

  /** As it was proposed; the body as well. */
  private writeOf(proposal: Proposal): ApiWrite {
    const { method, path, ifMatch } = proposal.write;
    return { method, path, ifMatch, body: this.find.bodyOf(proposal.toState()) };
  }
}

/**
 * An order costs at most what its plan says, also if the price rises between the look at it and the order, and also if the write itself
 * allows more.
 */
function atMost(write: ApiWrite, proposal: Proposal): ApiWrite {
  const cost = shownCost(write, proposal.toState().plan);
  return cost === undefined ? write : { ...write, body: { ...(write.body as object | undefined), max_price: cost } };
}

/** Undefined if it is no order. */
function shownCost({ path, body }: ApiWrite, { cost, result }: ProposalPlan): unknown {
  const { pathname } = new URL(path, 'http://localhost');
  if (ORDERS.test(pathname)) return cost;
  const registers = typeof body === 'object' && body !== null && 'register' in body && body.register === true;
  return registers && STATES.test(pathname) ? priceIn(result) : undefined;
}

/** That of a registration; undefined if the name is registered already. */
function priceIn(plannedState: unknown): unknown {
  const { cost } = plannedState as { readonly cost?: { readonly amount: number } };
  return cost && cost.amount > 0 ? cost : undefined;
}

function quoteIdOf(body: unknown): string | undefined {
  const id = (body as { readonly quote_id?: unknown } | undefined)?.quote_id;
  return typeof id === 'string' ? id : undefined;
}

function errorOf({ body }: JsonResult): { readonly code: string; readonly message: string } {
  const { code, message, details } = (body as { error: { code: string; message: string; details?: string } }).error;
  return { code, message: details ?? message };
}
