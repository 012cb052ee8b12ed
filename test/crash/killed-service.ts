import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_FAULTS, type ResponseFault } from './child/response-faults';
import { CODE_CACHE } from '../support/service/service-process';
import { STEPS, type Step } from './child/crash-point';
import type { SeededRandom } from './random';

const PROGRAM = join(__dirname, 'child/service.js');
/** A kill from outside, not at one of the steps. */
const AT_RANDOM = 'at random';
export type KillPoint = Step | typeof AT_RANDOM;

/** A process that does not reach its step within this time is killed anyway. */
const STEP_TIMEOUT_MS = 2_000;

/** One instance of the service on a fixed port, which is killed and restarted. */
export class KilledService {
  private readonly log: WriteStream;
  readonly responseFaults = new Map<ResponseFault, number>();
  private child: ChildProcess | undefined;
  private starts = 0;

  constructor(
    readonly address: string,
    private readonly settings: Record<string, string>,
    private readonly steps: readonly Step[],
    private readonly random: SeededRandom,
    logFile: string,
  ) {
    this.log = createWriteStream(logFile, { flags: 'a' });
  }

  /**
   * Starts the service and kills it at the next step in turn or at a random time, possibly during start-up. Returns where
   * it was killed, or undefined if it could not start.
   */
  async runUntilKilled(): Promise<KillPoint | undefined> {
    const turn = this.starts % (this.steps.length + 1);
    this.starts += 1;
    const step = this.steps[turn - 1];
    const running = this.start(step && { CRASH_AT: `${step}:${this.random.between(1, 4)}` });
    if (step) {
      await Promise.race([running.exited, running.listening.then(() => sleep(STEP_TIMEOUT_MS))]);
    } else {
      await Promise.race([
        running.exited,
        this.random.next() < 0.2
          ? sleep(this.random.between(200, 1_000))
          : running.listening.then(() => sleep(this.random.between(5, 500))),
      ]);
    }
    const isKilled = running.child.kill('SIGKILL');
    await running.exited;
    const atStep = STEPS.find((each) => running.output().includes(`died ${each}`));
    return atStep ?? (isKilled ? AT_RANDOM : undefined);
  }

  /** Starts the service without faults and leaves it running. */
  async startWithoutFaults(): Promise<void> {
    const { listening, exited, output } = this.start({ RESPONSE_FAULT_RATE: '0' });
    const ended = exited.then(() => {
      throw new Error(`the service ended before it listened: ${output().slice(-2_000)}`);
    });
    await Promise.race([listening, ended]);
  }

  async stop(): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  kill(): void {
    this.child?.kill('SIGKILL');
  }

  private start(extra: Record<string, string> | undefined) {
    const child = spawn(process.execPath, [...CODE_CACHE, PROGRAM], {
      env: {
        PATH: process.env['PATH'],
        RESPONSE_FAULT_SEED: String(this.random.between(0, 2 ** 31)),
        ...this.settings,
        ...extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    let written = '';
    const listening = new Promise<void>((resolve) => {
      child.stdout.on('data', (text: Buffer) => {
        written += text.toString();
        for (const kind of RESPONSE_FAULTS)
          this.responseFaults.set(
            kind,
            (this.responseFaults.get(kind) ?? 0) + text.toString().split(`response ${kind}\n`).length - 1,
          );
        this.log.write(text);
        if (written.includes('"listening"')) resolve();
      });
    });
    child.stderr.on('data', (text: Buffer) => this.log.write(text));
    return { child, listening, output: () => written, exited: once(child, 'close') };
  }
}
