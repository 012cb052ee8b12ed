import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
  type IBackoffFactory,
} from 'cockatiel';
import type { Log, LogFacts } from '../../../application/ports/system';
import { limitUntil, runWithLimit } from '../../../application/ports/registry/command-limit';
import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../application/ports/registry/registry-errors';
import { emit, observe } from '../../../application/shared/observation';
import { withinMs } from '../../../application/shared/within-ms';
import { CallRate } from './call-rate';
import { SharedCallRate, type ReserveCalls } from './shared-call-rate';
import { FairQueue } from './fair-queue';
import { isPortError, toPortError } from './registry-error';
import type { RegistryLimits } from './registry-limits';
import { shareOf } from '../share-of';

const MAX_RETRY_MS = 60_000;
/** Isolated is the moment in which `closeBreaker` closes it. */
const BREAKER_STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'closed',
} as const;

export interface GuardStatus {
  /** Calls at the registry, and calls that wait for their turn. */
  readonly running: number;
  readonly waiting: number;
  readonly breaker: 'closed' | 'half open' | 'open';
}

/** The circuit breaker of a registry, as all processes of the service share it. No method throws. */
export interface SharedBreaker {
  /** 0 if it is closed, or if this process opened it: its own circuit breaker lets one trial call through. */
  openForMs(): Promise<number>;
  /** Opens it for this long, and for other processes until the trial call has ended, which takes up to `trialMs`. */
  open(ms: number, trialMs: number): void;
  close(): void;
}

/** What processes of the service share; absent: this process counts by itself. */
export interface SharedCalls {
  readonly reserve?: ReserveCalls;
  readonly breaker?: SharedBreaker;
}

class OpenInAnotherProcess extends Error {
  constructor(readonly ms: number) {
    super('another process found that the registry does not respond');
  }
}

class NotSentInTime extends Error {
  constructor(readonly isTrial: boolean) {
    super('the time limit ended before the call was sent');
  }
}

/** Runs `work` within the limits. Without `account` the call counts for the service itself. */
type GuardedCall = <T>(work: () => Promise<T>, account?: string) => Promise<T>;

/**
 * Limits the calls to one registry: concurrency, a queue that accounts share, a rate, a timeout and a circuit breaker.
 * Rate and circuit breaker may be shared with other processes.
 * A call waits for its turn at most as long as it may run, and as its operation is leased. Calls that are not sent fail with
 * RegistryNotContacted.
 */
export class RegistryGuard {
  readonly query: GuardedCall;
  readonly command: GuardedCall;
  /** Closes the circuit breaker, for callers that know that the registry responds again. */
  readonly closeBreaker: () => void;
  /** Logs invalid data from the registry. */
  readonly warn: (message: string, facts: LogFacts) => void;
  readonly status: () => GuardStatus;
  private readonly queue: FairQueue;
  private breakerOpenUntil = 0;
  private processes = 1;

  constructor(
    private readonly name: string,
    private readonly limits: RegistryLimits,
    private readonly log: Log,
    shared: SharedCalls = {},
  ) {
    const queue = (this.queue = new FairQueue(limits.concurrency, limits.queue));
    this.warn = (message, facts) => log.warn({ registry: name, ...facts }, message);
    // Rejections and inconclusive responses do not count: one problematic name must not block the others.
    // A trial call that was not sent leaves it open: what does not count would close it.
    const breaker = circuitBreaker(
      handleType(RegistryUnavailable, (error) => !(error instanceof RegistryInconclusive)).orType(
        NotSentInTime,
        ({ isTrial }) => isTrial,
      ),
      {
        breaker: new ConsecutiveBreaker(limits.failures),
        halfOpenAfter: observeBackoff(
          new ExponentialBackoff({
            initialDelay: limits.retryAfterMs,
            maxDelay: Math.max(limits.retryAfterMs, MAX_RETRY_MS),
            generator: noJitterGenerator,
          }),
          (ms) => {
            this.breakerOpenUntil = Date.now() + ms;
            shared.breaker?.open(ms, limits.queryMs);
          },
        ),
      },
    );
    breaker.onBreak((reason) => {
      if (!('isolated' in reason))
        log.error({ registry: name }, 'registry does not respond: circuit breaker open, calls are rejected');
    });
    breaker.onReset(() => {
      log.info({ registry: name }, 'registry responds again: circuit breaker closed');
      shared.breaker?.close();
    });
    this.closeBreaker = () => {
      if (breaker.state === CircuitState.Open) breaker.isolate().dispose();
      else shared.breaker?.close();
    };
    // Without calls, the circuit breaker would stay open after its time.
    const isTrialDue = () => breaker.state === CircuitState.Open && Date.now() >= this.breakerOpenUntil;
    let pacing = 0;
    this.status = () => ({
      running: queue.use.running - pacing,
      waiting: queue.use.waiting + pacing,
      breaker: isTrialDue() ? 'half open' : BREAKER_STATES[breaker.state],
    });
    const rate = limits.perSecond === undefined ? undefined : this.rateOf(limits.perSecond, shared.reserve);

    // Plain timers: with cockatiel's timeouts, each call left objects in V8's old generation, for all their AbortSignals.
    const guardedCall = (kind: 'query' | 'command', milliseconds: number): GuardedCall => {
      return async (work, account = '') => {
        const limit = limitUntil(performance.now() + 2 * milliseconds);
        const isOver = () => performance.now() >= limit.until;
        let isSent = false;
        const send = async () => {
          const isTrial = breaker.state !== CircuitState.Closed;
          pacing += 1;
          await rate?.turn(isOver).finally(() => (pacing -= 1));
          if (isOver()) throw new NotSentInTime(isTrial);
          isSent = true;
          limit.until = Math.min(limit.until, performance.now() + milliseconds);
          // A query changes nothing, so a late request of one is harmless.
          const call = () =>
            kind === 'query' ? this.callAdapter(work) : runWithLimit(limit, () => this.callAdapter(work));
          return observe({ kind: 'registry call', name: kind, registry: name }, () => withinMs(milliseconds, call()));
        };
        try {
          return await withinMs(
            2 * milliseconds,
            queue.run(account, async () => {
              const openForMs = (await shared.breaker?.openForMs()) ?? 0;
              if (openForMs > 0) throw new OpenInAnotherProcess(openForMs);
              return breaker.execute(send);
            }),
          );
        } catch (error) {
          const isLate = isOver();
          limit.until = 0;
          // An adapter may have sent a request before `assertWithinTimeLimit` stopped it.
          if (isSent && isLate && error instanceof RegistryNotContacted)
            throw new RegistryUnavailable(error.details, error.retryAfterSeconds, { cause: error });
          if (isSent) throw error;
          emit(() => ({ kind: 'registry call not sent', name: kind, registry: name }));
          throw this.toNotContacted(error);
        }
      };
    };
    this.query = guardedCall('query', limits.queryMs);
    this.command = guardedCall('command', limits.commandMs);
  }

  /** Concurrent calls of this process. */
  get concurrency(): number {
    return shareOf(this.limits.concurrency, this.processes);
  }

  /** Lets calls wait until the share of this process is known. */
  hold(): void {
    this.queue.limitTo(0);
  }

  /** Takes the share of one of so many processes in the concurrent calls. */
  shareAmong(processes: number): void {
    this.processes = processes;
    this.queue.limitTo(this.concurrency);
  }

  private rateOf(perSecond: number, reserve: ReserveCalls | undefined): Pick<CallRate, 'turn'> {
    const own = new CallRate(perSecond);
    return reserve ? new SharedCallRate(this.name, perSecond, reserve, own) : own;
  }

  private toNotContacted(cause: unknown): RegistryNotContacted {
    const isOpenElsewhere = cause instanceof OpenInAnotherProcess;
    const isOpenAgain = cause instanceof NotSentInTime && cause.isTrial;
    if (!isOpenElsewhere && !isOpenAgain && !(cause instanceof BrokenCircuitError))
      return new RegistryNotContacted("The registry's queue is full", 1, { cause });
    return new RegistryNotContacted(
      'The registry does not respond',
      Math.max(1, Math.ceil((isOpenElsewhere ? cause.ms : this.breakerOpenUntil - Date.now()) / 1_000)),
      { cause },
    );
  }

  private async callAdapter<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isPortError(error))
        this.log.error({ registry: this.name, err: error }, 'adapter threw an error that its port does not define');
      throw toPortError(error);
    }
  }
}

/** Calls `onDelay` with each delay of the back-off, in milliseconds. */
function observeBackoff(backoff: IBackoffFactory<unknown>, onDelay: (ms: number) => void): IBackoffFactory<unknown> {
  return {
    next: (context) => {
      const next = backoff.next(context);
      onDelay(next.duration);
      return { ...observeBackoff(next, onDelay), duration: next.duration };
    },
  };
}
