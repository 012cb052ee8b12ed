import type { Health } from '../../../../typescript/src/namewright.ts';
import { collect } from '../../program/collect.ts';
import { command, EXIT } from '../../program/command.ts';
import type { Color, Paint } from '../../terminal/colors.ts';
import { printable } from '../../terminal/printable.ts';

const COLORS: Readonly<Record<string, Color>> = { problem: 'red', warning: 'yellow', unknown: 'dim', ok: 'green' };

export const health = command({
  name: 'health',
  arguments: ['[NAME]'],
  summary: 'show whether domains work, from the delegation to SPF',
  details: ['Without NAME, lists the domains with a problem. Exits with 2 if there is one.'],
  options: { check: { type: 'boolean', description: 'check the domain now' } },
  examples: ['namewright health', 'namewright health my-name.com'],
  run: async (session, [name], { check }) => {
    const { client, terminal } = session;
    if (name === undefined) {
      const failing = await collect(client.listDomains.items({ query: { limit: 500, health: 'problem' } }));
      const rows = failing.map((each) => [each.name, each.status]);
      session.showTable(failing, ['NAME', 'STATUS'], rows, 'No domain has a known problem.');
      return failing.length === 0 ? EXIT.done : EXIT.different;
    }
    const { id } = await client.getZoneByName({ path: { name } });
    const report = await (check
      ? terminal.progress(`Checking ${name}`, client.checkHealthOfZone({ path: { id } }))
      : client.readHealthOfZone({ path: { id } }));
    session.show(report, () => linesOf(name, report, terminal.paint));
    return report.state === 'problem' ? EXIT.different : EXIT.done;
  },
});

function linesOf(name: string, { state, checked_at: at, checks }: Health, paint: Paint): string[] {
  if (state === null) return [`${name} has not been checked yet. \`namewright health ${name} --check\` checks it now.`];
  const painted = (each: string) => paint(COLORS[each] ?? 'dim', each);
  return [
    `${name}: ${painted(state)}, checked at ${at}`,
    ...checks.flatMap((each) => [
      `  ${painted(each.state)} ${each.id}: ${printable(each.summary)}`,
      ...(each.state === 'ok' ? [] : [...each.evidence, each.advice ?? ''])
        .filter(Boolean)
        .map((line) => `      ${printable(line)}`),
    ]),
  ];
}
