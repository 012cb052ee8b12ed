import { args, result, TEXT } from '../schema';
import { READS, tool } from '../tool';
import { bodyOf, CHANGE, CHANGED_NAME, needsConfirmation, questionOf, writeOf } from './change-writes';
import { APPLYING, applied, OUTCOME, planned, PLANNED } from './planned-write';

const CHANGING = { name: CHANGED_NAME, change: CHANGE };

export const PLAN_CHANGE = tool({
  name: 'plan_change',
  title: 'Plan a change',
  description:
    'What a change of records or settings would do: record differences, registry operations, cost, warnings. Changes nothing. Give plan_id to apply_change within 15 minutes.',
  hints: READS,
  input: args(CHANGING),
  output: result(PLANNED),
  async run({ name, change }, call) {
    const write = await writeOf(name, change, call);
    return planned(call, {
      asked: { name, change },
      write,
      needsConfirmation: (plan) => needsConfirmation(change, plan),
    });
  },
});

export const APPLY_CHANGE = tool({
  name: 'apply_change',
  title: 'Apply a planned change, or propose it',
  description:
    'Makes the change that was planned, if it would still do the same: name, change and plan_id as in plan_change. Done once per plan_id: repeat the same call after a failure. What can take the name offline is confirmed by a person. With propose, or a key that may only propose, it waits for a person instead.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: args({ ...CHANGING, ...APPLYING, plan_id: TEXT }),
  output: result(OUTCOME),
  async run({ name, change, plan_id: planId, ...applying }, call) {
    const plan = await call.openPlan({ name, change }, planId);
    const write = { ...plan.target, body: bodyOf(name, change) };
    return applied(call, { write, planId, plan, question: questionOf(name, change) }, applying);
  },
});
