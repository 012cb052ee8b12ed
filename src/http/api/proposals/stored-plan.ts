import { createHash } from 'node:crypto';
import { isList, isPlain, jsonTask, jsonTexts } from '../../../application/shared/json-task';
import { runCooperatively, type CooperativeTask } from '../../../application/shared/run-cooperatively';
import { DISREGARDED, type PlanAspect } from '../../../domain/access/proposals/plan-effect';
import type { ProposalPlan } from '../../../domain/access/proposals/proposal';

/** Of the JSON. A longer plan is shortened: no one looks at all of it, and each response would have it. */
const MAX_LENGTH = 1_000_000;
/** Of the JSON of all entries of lists that a longer plan keeps. */
const KEPT_LENGTH = 400_000;
/** Each of its entries stays, without most of what its own lists have: a job is run for the versions of its zones. */
const KEPT_LIST = 'zones';

/**
 * A plan as JSON. If it is long, lists have their first entries, with `…_count` beside them, and `whole` has digests that are the same
 * for plans that do the same.
 */
export async function storedPlan(plan: object, accountId: string): Promise<ProposalPlan> {
  const text = await runCooperatively(jsonTask(plan), accountId);
  if (text.length <= MAX_LENGTH) return JSON.parse(text) as ProposalPlan;
  return runCooperatively(shorten(plan), accountId);
}

function* shorten(plan: object): CooperativeTask<ProposalPlan> {
  const [effect, changes] = [yield* digest(plan, 'effect'), yield* digest(plan, 'changes')];
  const kept = yield* withFirstEntries(plan, { left: KEPT_LENGTH });
  return { ...(kept as ProposalPlan), whole: { effect, changes } };
}

/** As `planDigest` makes it of a whole plan. */
function* digest(plan: object, aspect: PlanAspect): CooperativeTask<string> {
  const hash = createHash('sha256');
  for (const text of jsonTexts(plan, DISREGARDED[aspect])) {
    hash.update(text);
    yield;
  }
  return hash.digest('base64url');
}

interface Budget {
  left: number;
}

function* withFirstEntries(value: unknown, budget: Budget): CooperativeTask<unknown> {
  if (!isPlain(value)) return plain(value);
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (!isList(member)) members[name] = yield* withFirstEntries(member, budget);
    else if (name === KEPT_LIST) members[name] = yield* eachWithFirstEntries(member, budget);
    else {
      const { first, count } = yield* firstEntries(member, budget);
      members[name] = first;
      if (first.length < count) members[`${name}_count`] = count;
    }
  }
  return members;
}

function* eachWithFirstEntries(list: Iterable<unknown>, budget: Budget): CooperativeTask<readonly unknown[]> {
  const all: unknown[] = [];
  for (const entry of list) all.push(yield* withFirstEntries(entry, budget));
  return all;
}

/** At most half of what the budget has left, so that there are some of each list. */
function* firstEntries(
  list: Iterable<unknown>,
  budget: Budget,
): CooperativeTask<{ readonly first: readonly unknown[]; readonly count: number }> {
  const first: unknown[] = [];
  let [left, count] = [budget.left / 2, 0];
  for (const entry of list) {
    yield;
    if (left > 0) {
      const text = JSON.stringify(entry) ?? 'null';
      left -= text.length;
      if (left > 0) {
        first.push(JSON.parse(text));
        budget.left -= text.length;
      }
    }
    count += 1;
  }
  return { first, count };
}

/** As JSON has it. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
