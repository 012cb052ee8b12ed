import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

interface Ending {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built service in a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** What it has written to standard output so far. */
  stdout(): string;
  /** Waits until standard output matches. @throws where the process ends before it does */
  says(text: RegExp): Promise<RegExpExecArray>;
  signal(signal: NodeJS.Signals): void;
  /** Closes the reading end of its standard output. */
  closeOutput(): void;
  /** Reads nothing more of its standard output until it has exited. */
  stallOutput(): void;
  readonly ended: Promise<Ending>;
}

const LOOK_EVERY_MS = 10;

/** Compiles what is older than its source. */
export function build(): void {
  execFileSync(process.execPath, ['scripts/build-if-needed.mjs']);
}

/** With nothing in its environment but `settings`. */
export function startProcess(
  settings: Record<string, string>,
  command: readonly string[] = [process.execPath, 'dist/main.js'],
): ServiceProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  let over = false;
  const ended = once(child, 'close').then(([code]: (number | null)[]): Ending => {
    over = true;
    return { code: code ?? null, ...written };
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    says: async (text) => {
      for (;;) {
        const found = text.exec(written.stdout);
        if (found) return found;
        if (over)
          throw new Error(`the service ended before it said ${String(text)}:\n${written.stdout}${written.stderr}`);
        await sleep(LOOK_EVERY_MS);
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

/** Where the service listens, as its log tells. */
export async function addressOf(service: ServiceProcess): Promise<string> {
  return (await service.says(/"address":"(http:[^"]+)"/))[1] ?? '';
}

/** The key that a first start prints. */
export async function firstKeyOf(service: ServiceProcess): Promise<string> {
  return (await service.says(/shown only now: (\S+)/))[1] ?? '';
}
