import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MISCHIEFS, type Mischief } from './child/mischief';
import { STEPS, type Step } from './child/crash-point';
import type { SeededRandom } from './random';

const PROGRAM = join(__dirname, 'child/service.js');
/** How an instance is told apart that was killed from outside, wherever it was. */
const AT_RANDOM = 'at random';
export type Death = Step | typeof AT_RANDOM;

/** How long a process that is to die at a step has to get there. */
const REACH_WITHIN_MS = 2_000;

/** One instance of the service, on a port of its own: started, killed and started again. */
export class Victim {
  private readonly log: WriteStream;
  readonly mischief = new Map<Mischief, number>();
  private child: ChildProcess | undefined;
  private lives = 0;

  constructor(
    readonly address: string,
    private readonly settings: Record<string, string>,
    private readonly steps: readonly Step[],
    private readonly random: SeededRandom,
    logFile: string,
  ) {
    this.log = createWriteStream(logFile, { flags: 'a' });
  }

  /** Lives until it is killed: at the next step in turn, or at a random instant, starting up included. Answers how it died; undefined where it could not start. */
  async liveAndDie(): Promise<Death | undefined> {
    const turn = this.lives % (this.steps.length + 1);
    this.lives += 1;
    const step = this.steps[turn - 1];
    const life = this.start(step && { CRASH_AT: `${step}:${this.random.between(1, 4)}` });
    if (step) {
      await Promise.race([life.died, life.listening.then(() => sleep(REACH_WITHIN_MS))]);
    } else {
      await Promise.race([
        life.died,
        this.random.next() < 0.2
          ? sleep(this.random.between(200, 1_000))
          : life.listening.then(() => sleep(this.random.between(5, 500))),
      ]);
    }
    const killed = life.child.kill('SIGKILL');
    await life.died;
    const atStep = STEPS.find((each) => life.written().includes(`died ${each}`));
    return atStep ?? (killed ? AT_RANDOM : undefined);
  }

  /** Lives on, and meets no more mischief. */
  async live(): Promise<void> {
    await this.start({ MISCHIEF: '0' }).listening;
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
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        PATH: process.env['PATH'],
        MISCHIEF_SEED: String(this.random.between(0, 2 ** 31)),
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
        for (const kind of MISCHIEFS)
          this.mischief.set(
            kind,
            (this.mischief.get(kind) ?? 0) + text.toString().split(`answer ${kind}\n`).length - 1,
          );
        this.log.write(text);
        if (written.includes('"listening"')) resolve();
      });
    });
    child.stderr.on('data', (text: Buffer) => this.log.write(text));
    return { child, listening, written: () => written, died: once(child, 'close') };
  }
}
