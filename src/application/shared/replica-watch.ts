import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../ports/inject';
import { Outage } from './outage';
import { Replicas, type ReplicaState } from '../ports/storage/replicas';
import { Log } from '../ports/system';

const BEAT_EVERY_MS = 2_000;
/** A process that has missed this many beats is dead. */
const MISSED_BEATS = 15;
/** After so many beats of this process, the others have noticed it or are dead. */
const NOTICED_AFTER_BEATS = 3;
const WORKER = 'worker-';

interface LastBeat {
  readonly state: ReplicaState;
  /** How many rounds ago its beats last rose. */
  readonly rounds: number;
}

interface WatchOptions {
  /** A separate worker; else the process serves requests. */
  readonly isWorker?: boolean;
  /** This process counts the limits of requests by itself. */
  readonly countsAlone?: boolean;
  /** Called with the number of live processes, this one included, after every count; with undefined until the others have noticed this one. */
  readonly onCount?: (processes: number | undefined) => void;
}

/** Counts the processes on this database. Warns once if another one serves requests although this one counts limits by itself. */
@injectable()
export class ReplicaWatch {
  private id: string = randomUUID();
  private readonly outage: Outage;
  private seen = new Map<string, LastBeat>();
  private beats = 0;
  /** The processes that may not have noticed this one yet. */
  private unaware: readonly ReplicaState[] | undefined;
  private hasWarned = false;
  private options: WatchOptions = {};
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @inject(Replicas) private readonly replicas: Replicas,
    @inject(Log) private readonly log: Log,
  ) {
    this.outage = new Outage(log, 'looking for other replicas');
  }

  start(options: WatchOptions, everyMs = BEAT_EVERY_MS): void {
    this.options = options;
    options.onCount?.(undefined);
    if (options.isWorker) this.id = `${WORKER}${this.id.replaceAll('-', '')}`;
    this.timer = setInterval(() => void this.run(), everyMs).unref();
    void this.run();
  }

  async stop(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.running;
    await this.replicas.remove(this.id).catch(() => undefined);
  }

  /** Throws nothing. */
  run(): Promise<void> {
    return (this.running ??= this.check().finally(() => (this.running = undefined)));
  }

  private async check(): Promise<void> {
    try {
      const dead = [...this.seen.values()].filter(({ rounds }) => rounds >= MISSED_BEATS);
      const others = await this.replicas.beat(
        this.id,
        dead.map(({ state }) => state),
      );
      const isAnotherAlive = others.some(
        ({ id, beats }) => !id.startsWith(WORKER) && beats > (this.seen.get(id)?.state.beats ?? beats),
      );
      this.seen = new Map(others.map((state) => [state.id, this.lastBeatOf(state)]));
      if (this.checkNoticedBy(others)) this.options.onCount?.(others.length + 1);
      if (isAnotherAlive && this.options.countsAlone) this.warn();
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
    }
  }

  /** Whether each of the others has counted the processes since the first beat of this one. */
  private checkNoticedBy(others: readonly ReplicaState[]): boolean {
    const beatsOf = new Map(others.map(({ id, beats }) => [id, beats]));
    this.beats += 1;
    this.unaware = (this.unaware ?? others).filter(({ id, beats }) => beatsOf.get(id) === beats);
    return this.unaware.length === 0 || this.beats >= NOTICED_AFTER_BEATS;
  }

  private lastBeatOf(state: ReplicaState): LastBeat {
    const before = this.seen.get(state.id);
    return { state, rounds: before?.state.beats === state.beats ? before.rounds + 1 : 0 };
  }

  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.log.warn(
      {},
      'Another replica serves the same database, and each counts requests, failed authentications and sign-in attempts by itself: their limits hold per replica. Set LIMITS_STORE to make them hold over all replicas.',
    );
  }
}
