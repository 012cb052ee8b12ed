import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const PROGRAM = resolve(__dirname, 'pseudo-terminal.py');

/** What a person types once the terminal shows a text. */
export interface Turn {
  readonly shows: string;
  /** A line of a shell that is run before. */
  readonly first?: string;
  readonly type: string;
}

export interface TerminalRun {
  /** All that the terminal showed, with escape sequences. */
  readonly screen: string;
  readonly exitCode: number | null;
}

/** Runs a program in a pseudo-terminal, by Python, which needs no native module. */
export async function inTerminal(
  command: readonly string[],
  turns: readonly Turn[],
  options: { readonly env: Record<string, string>; readonly cwd: string },
): Promise<TerminalRun> {
  const child = spawn('python3', [PROGRAM, JSON.stringify(turns), ...command], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { screen, exitCode };
}
