import type { Command } from './program/command.ts';
import { optionRows, sentence, usageOf } from './program/help.ts';
import { GLOBAL_OPTIONS } from './program/parse.ts';

const INTRODUCTION = `# Command line

\`namewright\` manages names from a terminal, a script or a pipeline. It uses the API with a key, so it does what the key may do, on any
machine with Node 20.19 or newer. Operators have \`npm run admin\` besides, which works on the database and needs no key
([accounts](../operations/accounts.md)).

\`npm run docs:cli\` writes this page from the program.

## Installation

\`\`\`sh
npm pack ./clients/cli                                # in the repository: namewright-cli-0.1.0.tgz, below 1 MiB
npm install --global ./namewright-cli-0.1.0.tgz       # on the machine that uses it
\`\`\`

## Keys and profiles

\`namewright login\` stores URL and key in \`~/.config/namewright/profiles.json\` (\`XDG_CONFIG_HOME\`), which only you may read: it refuses to use a
file that others may read. With \`--profile NAME\` or \`NAMEWRIGHT_PROFILE\` there can be several. \`NAMEWRIGHT_URL\` and \`NAMEWRIGHT_API_KEY\`, which
belong together, come before a profile that is not named on the command line; \`NAMEWRIGHT_URL\` alone takes the stored key of this URL, and no other. A key
is never an argument, where \`ps\` would show it.

## Output and exit codes

| Exit code | Meaning |
|---|---|
| 0 | done; nothing to change |
| 1 | failed; the standard error says why and what to do |
| 2 | there are changes (\`plan\`, \`drift\`) or problems (\`health\`) |

- Results are on the standard output, questions, progress and errors on the standard error. \`--json\` prints the response of the API, and errors
  as its envelope.
- Colors and progress are for terminals only; \`NO_COLOR\` turns colors off. Characters of records and names that would control a terminal
  are shown as \`\\u{1b}\`.
- What costs money or removes something asks before. Without a terminal it needs \`--yes\`.
- A command that is interrupted may have changed something: the service continues what a registry was asked for. Check before you repeat it.

## Files

\`plan\`, \`apply\` and \`drift\` read what names are to be from files, which can live in Git ([pipelines for it](dns-in-git.md)). The name of a file
is that of its domain or zone.

| File | What it says |
|---|---|
| \`NAME.yaml\`, \`NAME.yml\`, \`NAME.json\` | a [state](../api/state.md): records and settings, in YAML or JSON |
| the same, with octoDNS records | all records of the zone. NS records at the apex, the nameservers of the domain, are left out, and what octoDNS ignores. \`dynamic\` and \`geo\` are refused |
| \`NAME.zone\`, \`NAME.db\` | a zone file (RFC 1035): all records of the zone |

\`apply\` changes one name after another, each wholly or not at all. If one is refused, it says which were changed before. Applied again, files change
nothing.`;

const EXAMPLES = `The examples are run in this order by a test. \`registrant.json\` has the members of \`contacts.registrant\` in the API, \`key.txt\` an API key,
and \`auth-code.txt\` the auth code of a name at another registrar.`;

/** The page about the program, docs/clients/cli.md. */
export function referencePage(commands: readonly Command[]): string {
  const sections = commands.map((command) =>
    [
      `### ${usageOf(command)}`,
      [sentence(command.summary), ...command.details].join('\n'),
      ...(Object.keys(command.options).length === 0 ? [] : [table(optionRows(command.options))]),
      ['```sh', ...command.examples, '```'].join('\n'),
    ].join('\n\n'),
  );
  const options = `Options of each command:\n\n${table(optionRows(GLOBAL_OPTIONS))}`;
  return `${[INTRODUCTION, `## Commands`, EXAMPLES, options, ...sections].join('\n\n')}\n`;
}

function table(rows: readonly (readonly string[])[]): string {
  return [
    '| Option | Meaning |',
    '|---|---|',
    ...rows.map(([option, meaning]) => `| \`${option}\` | ${meaning} |`),
  ].join('\n');
}
