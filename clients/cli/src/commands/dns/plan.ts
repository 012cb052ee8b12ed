import { command, EXIT } from '../../program/command.ts';
import type { Session } from '../../program/session.ts';
import { UsageError } from '../../program/usage-error.ts';
import { applyPlans } from '../../states/apply-plans.ts';
import { planFiles, type NamePlan } from '../../states/plan-state.ts';
import { readStateFiles } from '../../states/state-files.ts';
import { isEmpty, planLines, totalOf } from '../../states/state-text.ts';

export const FILES = [
  'FILE is a state (YAML or JSON), an octoDNS zone or a zone file (RFC 1035, `.zone`) with the name of its domain or zone, such as',
  '`example.com.yaml`; or a folder of them. What a state does not name stays as it is, and nothing deletes a registration.',
];

export const FILE_OPTIONS = {
  name: { type: 'string', value: 'NAME', description: 'the domain or zone, if the file is not called so' },
  'managed-by': {
    type: 'string',
    value: 'NAME',
    description: 'only records that this program manages; all others stay',
  },
} as const;

interface FileValues {
  readonly name?: string;
  readonly 'managed-by'?: string;
}

export const plan = command({
  name: 'plan',
  arguments: ['FILE…'],
  summary: 'show what files would change, and what it costs',
  details: [...FILES, 'Exits with 2 if there are changes.'],
  options: FILE_OPTIONS,
  examples: ['namewright plan my-name.com.yaml  # exits with 2'],
  run: async (session, files, values) => {
    const plans = await plansOf(session, files, values);
    const changes = plans.filter((each) => !isEmpty(each));
    session.show(plans.map(presented), () => planText(session, changes));
    return changes.length === 0 ? EXIT.done : EXIT.different;
  },
});

export const apply = command({
  name: 'apply',
  arguments: ['FILE…'],
  summary: 'make the names what files say',
  details: [
    ...FILES,
    'Shows the plan and asks. What changed in between is refused, with all other changes of the name. Waits for the registry.',
    'A state that changes nothing is applied without a question: from then on, `namewright drift` compares its name with it.',
  ],
  options: { ...FILE_OPTIONS, yes: { type: 'boolean', description: 'do not ask' } },
  examples: ['namewright apply my-name.com.yaml --yes', 'namewright plan my-name.com.yaml'],
  run: async (session, files, values) => {
    const plans = await plansOf(session, files, values);
    const changes = plans.filter((each) => !isEmpty(each));
    if (plans.every(({ isApplied }) => isApplied)) {
      session.show([], () => planText(session, changes));
      return EXIT.done;
    }
    assertOneFileForEach(changes);
    if (!session.json) session.terminal.print(planText(session, changes).join('\n'));
    if (changes.length > 0) await session.confirm('Apply these changes?', values.yes);
    return applyPlans(
      session,
      plans.filter(({ isApplied }) => !isApplied),
    );
  },
});

/** The second plan would be refused after the first was applied. @throws UsageError */
function assertOneFileForEach(changes: readonly NamePlan[]): void {
  const files = new Map<string, string>();
  for (const { name, file } of changes) {
    const other = files.get(name.toLowerCase());
    if (other !== undefined)
      throw new UsageError(`${other} and ${file} both change ${name}; nothing was changed. Apply one of them`);
    files.set(name.toLowerCase(), file);
  }
}

async function plansOf(session: Session, files: readonly string[], values: FileValues): Promise<NamePlan[]> {
  return planFiles(session, await readStateFiles(files, { name: values.name, managedBy: values['managed-by'] }));
}

function planText({ terminal }: Session, changes: readonly NamePlan[]): string[] {
  if (changes.length === 0) return ['Nothing to change.'];
  return [...changes.flatMap((each) => planLines(each, terminal.paint)), `Plan: ${totalOf(changes)}.`];
}

function presented({ file, name, plan: response }: NamePlan) {
  return { file, name, plan: response };
}
