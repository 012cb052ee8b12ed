import { COMMANDS } from '../commands/commands.ts';
import { Terminal, type Streams } from '../terminal/terminal.ts';
import { EXIT, type ExitCode } from './command.ts';
import { reportFailure } from './failures.ts';
import { commandHelp, programHelp } from './help.ts';
import { findCommand, parse } from './parse.ts';
import { Session } from './session.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Runs one command line. */
export async function run(words: readonly string[], streams: Streams): Promise<ExitCode> {
  const terminal = new Terminal(streams);
  try {
    return await runCommand(words, terminal);
  } catch (error) {
    reportFailure(terminal, error, words.includes('--json'));
    return EXIT.failed;
  }
}

async function runCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (words[0] === '--version') {
    terminal.print(VERSION);
    return EXIT.done;
  }
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    terminal.print(programHelp(COMMANDS).join('\n'));
    return words.length === 0 ? EXIT.failed : EXIT.done;
  }
  const command = findCommand(COMMANDS, words);
  if (!command) throw new UsageError(unknownCommand(words[0] ?? ''));
  const { args, values } = parsedOr(command.name, () => parse(command, words));
  if (values['help'] === true) {
    terminal.print(commandHelp(command).join('\n'));
    return EXIT.done;
  }
  const session = new Session(terminal, values['json'] === true, values['profile'] as string | undefined);
  return (await command.run(session, args, values)) ?? EXIT.done;
}

function unknownCommand(word: string): string {
  const further = COMMANDS.flatMap(({ name }) => (name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : []));
  if (further.length > 0) return `${word} needs one of ${further.join(', ')}`;
  return `${word} is not a command. \`namewright --help\` lists them`;
}

/** Says where the help for a command line is that cannot be parsed. */
function parsedOr<T>(name: string, parsing: () => T): T {
  try {
    return parsing();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}. \`namewright ${name} --help\` explains the command`, { cause: error });
  }
}
