import { tableLines } from '../terminal/table.ts';
import type { Command, Options } from './command.ts';
import { GLOBAL_OPTIONS } from './parse.ts';

const ENVIRONMENT = [
  'Without --profile, NAMEWRIGHT_URL and NAMEWRIGHT_API_KEY say which service and key to use, and NAMEWRIGHT_URL alone takes the stored key of this URL. NO_COLOR turns colors off.',
  'Exit codes: 0 done, or nothing to change; 1 failed; 2 there are changes or problems (plan, drift, health).',
];

export function programHelp(commands: readonly Command[]): string[] {
  return [
    'Usage: namewright COMMAND [ARGUMENTS] [OPTIONS]',
    '',
    'Commands:',
    ...indented(commands.map((each) => [usageOf(each), each.summary])),
    '',
    'Options of each command:',
    ...indented(optionRows(GLOBAL_OPTIONS)),
    '',
    ...ENVIRONMENT,
    '`namewright COMMAND --help` explains a command.',
  ];
}

export function commandHelp(command: Command): string[] {
  return [
    `Usage: namewright ${usageOf(command)} [OPTIONS]`,
    '',
    sentence(command.summary),
    ...command.details,
    '',
    'Options:',
    ...indented(optionRows({ ...command.options, ...GLOBAL_OPTIONS })),
    ...(command.examples.length === 0 ? [] : ['', 'Examples:', ...command.examples.map((each) => `  ${each}`)]),
  ];
}

export function usageOf({ name, arguments: args }: Command): string {
  return [name, ...args].join(' ');
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Option and description. */
export function optionRows(options: Options): string[][] {
  return Object.entries(options).map(([name, { type, value, description }]) => [
    type === 'boolean' ? `--${name}` : `--${name} ${value ?? 'VALUE'}`,
    description,
  ]);
}

function indented(rows: readonly (readonly string[])[]): string[] {
  return tableLines(['', ''], rows)
    .slice(1)
    .map((line) => `  ${line}`);
}
