// cspell:ignore bashcompinit compgen mapfile
import type { Command } from '../../program/command.ts';
import { command } from '../../program/command.ts';
import { GLOBAL_OPTIONS } from '../../program/parse.ts';
import { UsageError } from '../../program/usage-error.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Completes the names of commands and options, and files. */
export function completion(commands: () => readonly Command[]): Command {
  return command({
    name: 'completion',
    arguments: ['SHELL'],
    summary: 'print completions for bash, zsh or fish',
    details: [
      'bash: `namewright completion bash > /etc/bash_completion.d/namewright`. zsh: `source <(namewright completion zsh)` in .zshrc.',
      'fish: `namewright completion fish > ~/.config/fish/completions/namewright.fish`.',
    ],
    examples: ['namewright completion bash'],
    run: async (session, [name = '']) => {
      const shell = SHELLS.find((each) => each === name);
      if (!shell) throw new UsageError(`${name} is not one of ${SHELLS.join(', ')}`);
      session.terminal.print(SCRIPTS[shell](commands()));
    },
  });
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: (commands) => `autoload -Uz bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

function optionsOf(each: Command): string[] {
  return Object.keys({ ...each.options, ...GLOBAL_OPTIONS }).map((option) => `--${option}`);
}

/** The words that can follow: further words of commands, then options. */
function bashScript(commands: readonly Command[]): string {
  const cases = commands
    .toSorted((a, b) => b.name.length - a.name.length)
    .map(
      (each) => `    "${each.name}"*) words="${[...nextWords(commands, each.name), ...optionsOf(each)].join(' ')}" ;;`,
    );
  return `_namewright() {
  local word=\${COMP_WORDS[COMP_CWORD]} typed words
  typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$typed" in
${cases.join('\n')}
${prefixes(commands)
  .map((prefix) => `    "${prefix}"*) words="${nextWords(commands, prefix).join(' ')}" ;;`)
  .join('\n')}
    *) words="${nextWords(commands, '').join(' ')} --help --version" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _namewright namewright`;
}

/** Words that only begin commands, such as \`records\`. */
function prefixes(commands: readonly Command[]): string[] {
  const first = commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []));
  return [...new Set(first)].filter((word) => !commands.some(({ name }) => name === word));
}

function nextWords(commands: readonly Command[], typed: string): string[] {
  const start = typed === '' ? '' : `${typed} `;
  const following = commands.flatMap(({ name }) =>
    name.startsWith(start) ? [name.slice(start.length).split(' ')[0] ?? ''] : [],
  );
  return [...new Set(following)];
}

function seen(word: string): string {
  return `'__fish_seen_subcommand_from ${word}'`;
}

function fishScript(commands: readonly Command[]): string {
  const top = nextWords(commands, '');
  return [
    ...top.map((word) => {
      const summary = commands.find(({ name }) => name === word)?.summary ?? `commands of ${word}`;
      return `complete -c namewright -f -n '__fish_use_subcommand' -a ${word} -d '${summary.replaceAll("'", "\\'")}'`;
    }),
    ...top.flatMap((word) =>
      nextWords(commands, word).map((next) => `complete -c namewright -n ${seen(word)} -a ${next}`),
    ),
    ...commands.flatMap((each) =>
      Object.entries({ ...each.options, ...GLOBAL_OPTIONS }).map(
        ([option, { description }]) =>
          `complete -c namewright -n ${seen(each.name.split(' ')[0] ?? '')} -l ${option} -d '${description.replaceAll("'", "\\'")}'`,
      ),
    ),
  ].join('\n');
}
