import { setTimeout as sleep } from 'node:timers/promises';
import type { AppliedState, ImportedZone, Operation } from '../../../typescript/src/namewright.ts';
import { EXIT, type ExitCode } from '../program/command.ts';
import type { Session } from '../program/session.ts';
import { printable } from '../terminal/printable.ts';
import type { NamePlan } from './plan-state.ts';
import { isEmpty } from './state-text.ts';

const POLL_INTERVAL_MS = 500;
/** Two minutes; a registry that is down takes longer. */
const POLLS = 240;

/** Name after name; ends with the first that is refused, and says which are done. */
export async function applyPlans(session: Session, plans: readonly NamePlan[]): Promise<ExitCode> {
  const results: { file: string; name: string; applied: unknown; operations: Operation[] }[] = [];
  const unchanged = new Set(plans.filter(isEmpty).map(({ name }) => name));
  for (const { file, name, apply } of plans) {
    try {
      const applied = await session.terminal.progress(`Applying ${name}`, apply());
      const operations = await session.terminal.progress(`At the registry: ${name}`, untilDone(session, applied));
      results.push({ file, name, applied, operations });
    } catch (error) {
      const done = results.map((each) => each.name).join(', ') || 'none';
      session.terminal.note(`${printable(name)} was not applied. Applied before: ${done}.`);
      throw error;
    }
  }
  const operations = results.flatMap((each) => each.operations.map((operation) => ({ ...operation, name: each.name })));
  const failed = operations.filter(({ state }) => state === 'failed');
  const open = operations.filter(({ state }) => state !== 'failed' && state !== 'succeeded');
  session.show(results, () => [
    ...failed.map(
      ({ name, kind, error }) => `${printable(name)}: the registry refused ${kind}: ${printable(error?.message ?? '')}`,
    ),
    ...open.map(({ name, kind, id }) => `${printable(name)}: ${kind} continues at the registry (${id})`),
    ...namesLine(
      'Applied',
      results.filter((each) => !unchanged.has(each.name)),
    ),
    ...namesLine(
      'Unchanged, and compared with this state from now on',
      results.filter((each) => unchanged.has(each.name)),
    ),
  ]);
  return failed.length > 0 ? EXIT.failed : EXIT.done;
}

function namesLine(label: string, named: readonly { readonly name: string }[]): string[] {
  return named.length === 0 ? [] : [`${label}: ${named.map(({ name }) => printable(name)).join(', ')}.`];
}

/** The operations that were ordered with the change, once they have ended. */
async function untilDone(session: Session, applied: AppliedState | ImportedZone): Promise<Operation[]> {
  const ordered = 'operations' in applied ? applied.operations : [];
  const operations: Operation[] = [];
  for (const { id } of ordered) {
    if (id !== null) operations.push(await untilEnded(session, id));
  }
  return operations;
}

async function untilEnded({ client }: Session, id: string): Promise<Operation> {
  for (let poll = 0; ; poll += 1) {
    const operation = await client.readOperation({ path: { id } });
    if (operation.state === 'succeeded' || operation.state === 'failed' || poll === POLLS) return operation;
    await sleep(POLL_INTERVAL_MS);
  }
}
