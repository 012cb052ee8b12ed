import { Allow, IsIn, IsObject, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { inject, injectable } from '../../../../application/ports/inject';
import { Clock } from '../../../../application/ports/system';
import { DecideProposal, type DecideProposalCommand } from '../../../../application/proposals/decide-proposal';
import type { ListedProposal } from '../../../../application/ports/access/proposals';
import { FindProposals, seesOwnOnly } from '../../../../application/proposals/find-proposals';
import { ProposedSpend } from '../../../../application/proposals/proposed-spend';
import type { Actor } from '../../../../domain/access/actor';
import { statusAt, type Proposal, type ProposalState } from '../../../../domain/access/proposals/proposal';
import { pageOf } from '../../../shared/page-of';
import { ok, type ApiResult, type JsonResult } from '../../../shared/result';
import type { ApiRequest, WriteRequest } from '../../api-request';
import { DEFAULT_LIMIT, pageRequest, pageResult, positionCursor } from '../../list-query';
import { ProposedWrites } from '../../proposals/proposed-writes';
import { shownPlan } from '../../proposals/shown-plan';
import { Optional, switchParameter, validated } from '../../validated';
import { shownSpend } from './keys';

const METHODS = ['POST', 'PUT', 'DELETE'] as const;

class ProposedHeadersBody {
  @Optional() @IsString() if_match?: string;
}

class ProposalBody {
  @IsIn(METHODS) method!: (typeof METHODS)[number];
  @IsString() path!: string;
  @Optional() @IsObject() @ValidateNested() @Type(() => ProposedHeadersBody) headers?: ProposedHeadersBody;
  @Allow() body?: unknown;
  @IsString() reason!: string;
}

class DecisionBody {
  @Optional() @IsString() comment?: string;
}

/** Writes that someone else accepts. */
@injectable()
export class ProposalsController {
  constructor(
    @inject(ProposedWrites) private readonly writes: ProposedWrites,
    @inject(DecideProposal) private readonly decideProposal: DecideProposal,
    @inject(FindProposals) private readonly proposals: FindProposals,
    @inject(ProposedSpend) private readonly spend: ProposedSpend,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async propose(request: WriteRequest): Promise<JsonResult> {
    const { caller, scope, body: given } = request;
    const { method, path, headers, body, reason } = validated(ProposalBody, given);
    const write = { method, path, ifMatch: headers?.if_match, body };
    const toResult = (made: Proposal) => this.proposed(made.toState(), caller.actor, 201);
    return toResult(await this.writes.propose({ ...caller, scope }, write, reason, request.storing(toResult)));
  }

  async list(request: ApiRequest): Promise<ApiResult> {
    const { limit, after } = pageRequest(request) ?? { limit: DEFAULT_LIMIT };
    const undecided = switchParameter(request, 'undecided') || undefined;
    const found = await this.proposals.page(request.caller, { undecided }, limit + 1, after);
    return pageResult(
      { request, filters: ['undecided'], ...pageOf(found, limit), limit, cursorOf: positionCursor },
      (state) => this.listed(state),
    );
  }

  async read({ caller, params }: ApiRequest<'id'>): Promise<ApiResult> {
    const state = (await this.proposals.byId({ ...caller, proposalId: params.id })).toState();
    const spend = await this.spend.of(state);
    const ofProposer = spend && { limits: shownSpend(spend.limits), undecided: spend.undecided };
    return ok({ ...this.shown(state, caller.actor), ...(ofProposer && { spend: ofProposer }) });
  }

  /** The response has that of the write. */
  async accept({ caller, scope, params, body }: WriteRequest<'id'>): Promise<JsonResult> {
    const { comment = null } = validated(DecisionBody, body ?? {});
    const { accountId, actor } = caller;
    const { proposal, response } = await this.writes.accept({
      accountId,
      actor,
      scope,
      proposalId: params.id,
      comment,
    });
    const shown = {
      ...this.shown(proposal.toState(), actor),
      response: { status: response.status, body: response.body },
    };
    // Not stored for the Idempotency-Key of the acceptance, because a repetition is to end it.
    return ok(shown, proposal.isAccepting() ? { 'Retry-After': response.headers['Retry-After'] ?? '1' } : {});
  }

  async reject(request: WriteRequest<'id'>): Promise<JsonResult> {
    const toResult = (proposal: Proposal) => ok(this.shown(proposal.toState(), request.caller.actor));
    return toResult(await this.decideProposal.reject(toDecision(request), request.storing(toResult)));
  }

  async withdraw(request: WriteRequest<'id'>): Promise<JsonResult> {
    const toResult = (proposal: Proposal) => ok(this.shown(proposal.toState(), request.caller.actor));
    return toResult(await this.decideProposal.withdraw(toDecision(request), request.storing(toResult)));
  }

  /** @param status 202 where the client meant to send the write itself */
  proposed(state: ProposalState, actor: Actor, status: 201 | 202): JsonResult {
    return { status, headers: { Location: `/api/proposals/${state.id}` }, body: this.shown(state, actor) };
  }

  /** The present plan was made with the rights of who accepts, and may show what a limited proposer does not see. */
  private shown(state: ProposalState, actor: Actor): object {
    return {
      ...this.listed(state),
      body: withoutSecrets(this.proposals.bodyOf(state)),
      plan: shownPlan(state.plan),
      current_plan: seesOwnOnly(actor) ? null : state.currentPlan && shownPlan(state.currentPlan),
    };
  }

  private listed(state: ListedProposal): object {
    const { id, write, reason, decision, error, createdAt, expiresAt, updatedAt } = state;
    return {
      id,
      state: statusAt(state, this.clock.now()),
      method: write.method,
      path: write.path,
      ...(write.ifMatch !== undefined && { headers: { if_match: write.ifMatch } }),
      reason,
      proposed_by: shownActor(state.proposer),
      decision: decision && {
        by: shownActor(decision.actor),
        comment: decision.comment,
        at: decision.at.toISOString(),
      },
      error,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    };
  }
}

function toDecision({ caller, params, body }: WriteRequest<'id'>): DecideProposalCommand {
  const { comment = null } = validated(DecisionBody, body ?? {});
  const { accountId, actor } = caller;
  return { accountId, actor, proposalId: params.id, comment };
}

function shownActor(actor: Actor): object {
  return { kind: actor.kind, id: 'id' in actor ? actor.id : null };
}

/** Auth codes, and the TSIG keys of other nameservers. */
const SECRETS = new Set(['auth_code', 'secret']);

/** Null without a body. */
function withoutSecrets(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body ?? null;
  if (Array.isArray(body)) return body.map(withoutSecrets);
  const members = Object.entries(body).map(([name, value]) => [
    name,
    SECRETS.has(name) ? '(not shown)' : value === null ? null : withoutSecrets(value),
  ]);
  return Object.fromEntries(members);
}
