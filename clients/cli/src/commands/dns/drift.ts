import { existsSync } from 'node:fs';
import type { StoredState } from '../../../../typescript/src/namewright.ts';
import { collect, pooled } from '../../program/collect.ts';
import { command, EXIT } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { planFiles, REQUESTS, type Planned } from '../../states/plan-state.ts';
import { readStateFiles } from '../../states/state-files.ts';
import { driftLines, isEmpty } from '../../states/state-text.ts';
import { FILE_OPTIONS, FILES } from './plan.ts';
import { warningLines } from './plan-text.ts';

/** What a name is to be, and what would set it back. */
interface Drift extends Planned {
  readonly source: string;
  /** Why it cannot be set back. */
  readonly invalid?: string;
}

export const drift = command({
  name: 'drift',
  arguments: ['[NAME|FILE…]'],
  summary: 'show what was changed past a state',
  details: [
    'Compares NAME with the state that was applied to it last, or FILE with the service: `+` is in the service only, `-` in the state only.',
    'Without NAME and FILE, lists the names whose records or settings were changed past their state, and what differs.',
    'Exits with 2 if they differ. `namewright apply` sets it back; `namewright export NAME --state` adopts it.',
    ...FILES,
  ],
  options: FILE_OPTIONS,
  examples: ['namewright drift', 'namewright drift my-name.com', 'namewright drift my-name.com.yaml'],
  run: async (session, args, values) => {
    const paths = args.filter((each) => existsSync(each));
    const names = args.length > 0 ? args.filter((each) => !paths.includes(each)) : await driftedNames(session);
    const files = await readStateFiles(paths, { name: values.name, managedBy: values['managed-by'] });
    const planned = await planFiles(session, files);
    const stored = await pooled(names, REQUESTS, (name) => storedDrift(session, name));
    const drifts: readonly Drift[] = [
      ...planned.map((each) => ({ ...each, source: each.file })),
      ...stored.filter((each) => typeof each !== 'string'),
    ];
    // A name without a plan hides none of the others.
    const problems = stored.filter((each) => typeof each === 'string');
    const differing = drifts.filter((each) => !isEmpty(each));
    session.show(
      drifts.map(({ name, source, plan, invalid }) => ({
        name,
        source,
        plan,
        ...(invalid !== undefined && { invalid }),
      })),
      () =>
        differing.length === 0 && problems.length === 0
          ? 'Nothing was changed.'
          : differing.flatMap((each) => [
              ...driftLines(each, each.source, session.terminal.paint),
              ...warningLines(
                each.invalid === undefined ? [] : [`It cannot be set back: ${each.invalid}`],
                session.terminal.paint,
              ),
            ]),
    );
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
    return differing.length === 0 ? EXIT.done : EXIT.different;
  },
});

async function driftedNames({ client }: Session): Promise<string[]> {
  const drifted = await collect(client.listDrifted.items({ query: { limit: 500 } }));
  return drifted.map(({ name }) => name);
}

/** Or why there is none. */
async function storedDrift({ client }: Session, name: string): Promise<Drift | string> {
  const stored = await client.readZoneState({ path: { name } });
  const { drift: plan, invalid } = stored;
  const reason = invalid ? (invalid.details ?? invalid.message) : undefined;
  if (!plan && reason !== undefined) return `the state of ${name} can no longer be applied: ${reason}`;
  if (!plan) return `no state was applied to ${name}, and there is no file of this name`;
  const source = `the state of ${String(stored.applied_at)}${by(stored)}`;
  return { name: stored.name, source, plan, ...(reason !== undefined && { invalid: reason }) };
}

function by({ applied_by: actor }: StoredState): string {
  return actor === null ? '' : ` by ${[actor.kind, actor.id].filter(Boolean).join(':')}`;
}
