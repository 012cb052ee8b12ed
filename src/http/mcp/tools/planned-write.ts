import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import type { ApiWrite } from '../../api/proposals/api-writes';
import { shownPlan } from '../../api/proposals/shown-plan';
import type { JsonResult } from '../../shared/result';
import type { KnownPlan } from '../plan-ids';
import { flag, optional, text } from '../../api/shape';
import { ANY_OBJECT, BOOLEAN, INTEGER, oneOf, TEXT } from '../schema';
import { ToolRefusal, type Json, type ToolCall } from '../tool-call';

/** Arguments of what applies a plan. */
export const APPLYING = {
  plan_id: optional(TEXT),
  propose: optional(flag({ description: 'Leave it to a person' })),
  reason: optional(text({ description: 'Why, for the person' })),
};

interface Applying {
  readonly propose?: boolean | undefined;
  readonly reason?: string | undefined;
}

export const PLANNED = {
  plan_id: TEXT,
  expires_at: TEXT,
  needs_confirmation: BOOLEAN,
  plan: ANY_OBJECT,
  cost: ANY_OBJECT,
};

export const OUTCOME = {
  status: oneOf('planned', 'done', 'pending', 'proposed', 'declined'),
  response: ANY_OBJECT,
  operation_id: TEXT,
  proposal_id: TEXT,
  retry_after: INTEGER,
};

const NO_REASON = 'Proposed by an agent';

interface Planning {
  /** The arguments that say what to change. */
  readonly asked: object;
  readonly write: ApiWrite;
  readonly quoteId?: string;
  readonly needsConfirmation: (plan: ProposalPlan) => boolean;
}

/** Plans a write: what the client needs to apply it. @throws ServiceError */
export async function planned(call: ToolCall, { asked, write, quoteId, needsConfirmation }: Planning): Promise<object> {
  const plan = await call.plan(write);
  const confirm = needsConfirmation(plan);
  const { id, expiresAt } = await call.issuePlanId(asked, { plan, confirm, quoteId, target: write });
  return {
    status: 'planned',
    plan_id: id,
    expires_at: expiresAt.toISOString(),
    needs_confirmation: confirm && !call.mayOnlyPropose,
    plan: shownPlan(plan),
    cost: plan['cost'],
  };
}

interface PlannedWrite {
  readonly write: ApiWrite;
  readonly planId: string;
  readonly plan: KnownPlan;
  /** For the person who confirms it. */
  readonly question: string;
}

/** Applies a plan, or proposes it. @throws ToolRefusal, ConfirmationNeeded */
export async function applied(
  call: ToolCall,
  { write, planId, plan, question }: PlannedWrite,
  { propose = false, reason = NO_REASON }: Applying,
): Promise<object> {
  if (propose || call.mayOnlyPropose) return proposed(call, write, plan, reason);
  if (plan.confirm && !call.isConfirmed(planId, question)) return { status: 'declined' };
  return outcome(await call.apply(write, plan));
}

/** Once for the plan: the proposal of a repeated call is that of the first one. */
async function proposed(call: ToolCall, write: ApiWrite, plan: KnownPlan, reason: string): Promise<object> {
  const { method, path, body } = write;
  const headers = { 'idempotency-key': `proposal-of-plan-${plan.nonce}` };
  const response = await call.send({
    method: 'POST',
    path: '/api/proposals',
    headers,
    body: { method, path, ...(body !== undefined && { body }), reason },
  });
  return outcome({ ...response, status: 202 });
}

function outcome(response: JsonResult): object {
  const { status, headers, body } = response;
  const { id, ...members } = body as Json;
  if (status === 202) return { status: 'proposed', proposal_id: id, response: { state: members['state'] } };
  const operationId = headers['Operation-Location']?.split('/').at(-1);
  const ended = { operation_id: operationId, response: body };
  if (status < 400) return { status: 'done', ...ended };
  const retryAfter = Number(headers['Retry-After']);
  if (status === 503 && operationId !== undefined) return { status: 'pending', retry_after: retryAfter, ...ended };
  throw new ToolRefusal(response);
}
