import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Ending {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built service as a child process. */
export interface ServiceProcess {
  readonly pid: number;
  /** The standard output so far. */
  stdout(): string;
  /** Waits until standard output matches. @throws Error if the process ends first */
  waitForOutput(text: RegExp): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  /** Closes the read end of its standard output. */
  closeOutput(): void;
  /** Stops reading its standard output until it exits. */
  stallOutput(): void;
  readonly ended: Promise<Ending>;
}

const POLL_INTERVAL_MS = 10;

/** Options of Node with which programs of the service start in two thirds of the processor time. */
export const CODE_CACHE = ['--require', resolve('test/support/service/code-cache.cjs')];

/** Compiles if a source is newer than its output. */
export function build(): void {
  execFileSync(process.execPath, ['test/support/service/record-code-cache.mjs']);
}

/** Starts a process with `settings` and PATH as its whole environment; programs of Node with the code cache. */
export function startProcess(
  settings: Record<string, string>,
  command: readonly string[] = [process.execPath, 'dist/main.js'],
): ServiceProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, program === process.execPath ? [...CODE_CACHE, ...args] : args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]: (number | null)[]): Ending => {
    hasEnded = true;
    return { code: code ?? null, ...written };
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    waitForOutput: async (text) => {
      for (;;) {
        const found = text.exec(written.stdout);
        if (found) return found;
        if (hasEnded)
          throw new Error(
            `the service ended before its output matched ${String(text)}:\n${written.stdout}${written.stderr}`,
          );
        await sleep(POLL_INTERVAL_MS);
      }
    },
    signal: (signal) => void child.kill(signal),
    closeOutput: () => void child.stdout.destroy(),
    stallOutput: () => {
      child.stdout.pause();
      child.once('exit', () => child.stdout.resume());
    },
    ended,
  };
}

/** Waits until the log shows the base URL. */
export async function addressOf(service: ServiceProcess): Promise<string> {
  return (await service.waitForOutput(/"address":"(http:[^"]+)"/))[1] ?? '';
}

/** Waits until the first start prints its API key. */
export async function firstKeyOf(service: ServiceProcess): Promise<string> {
  return (await service.waitForOutput(/shown only now: (\S+)/))[1] ?? '';
}
