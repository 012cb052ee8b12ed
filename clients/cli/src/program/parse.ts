import { parseArgs } from 'node:util';
import type { Command, Options } from './command.ts';
import { UsageError } from './usage-error.ts';

export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', description: 'print JSON, for programs' },
  profile: {
    type: 'string',
    value: 'NAME',
    description: 'use the URL and key of this profile (NAMEWRIGHT_PROFILE; `default`)',
  },
  help: { type: 'boolean', description: 'explain the command' },
} as const satisfies Options;

export interface CommandLine {
  readonly command: Command;
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** The longest command that the words begin with, and the number of its words. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const matching = commands.filter(({ name }) => name.split(' ').every((word, index) => word === words[index]));
  return matching.toSorted((a, b) => b.name.length - a.name.length)[0];
}

export function parse(command: Command, words: readonly string[]): CommandLine {
  const options = Object.entries({ ...GLOBAL_OPTIONS, ...command.options }).map(
    ([name, spec]: [string, Options[string]]) => [name, { type: spec.type, multiple: spec.multiple === true }],
  );
  const { values, positionals } = parsed(words, Object.fromEntries(options));
  const args = positionals.slice(command.name.split(' ').length);
  if (values['help'] !== true) assertArguments(command, args);
  return { command, args, values };
}

type ParsedOptions = Record<string, { type: 'string' | 'boolean'; multiple: boolean }>;

function parsed(words: readonly string[], options: ParsedOptions) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    // "Unknown option '--x'. To specify a positional argument starting with a '-', …"
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function assertArguments({ arguments: expected }: Command, args: readonly string[]): void {
  const missing = expected.find((each, index) => !each.startsWith('[') && args[index] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing.replace('…', '')} is missing`);
  const hasMore = expected.at(-1)?.includes('…') === true;
  const extra = hasMore ? undefined : args[expected.length];
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`);
}
