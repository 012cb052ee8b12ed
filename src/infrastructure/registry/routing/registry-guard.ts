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
import type { Log, LogFacts } from '../../../application/ports/system/log';
import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../application/ports/registry/registry-errors';
import { withinMs } from '../../../application/within-ms';
import { CallRate } from './call-rate';
import { FairQueue } from './fair-queue';
import { isPortError, toPortError } from './registry-error';
import type { RegistryLimits } from './registry-limits';

const MAX_RETRY_MS = 60_000;

/** Runs `work` within the limits. Without `account` the call counts for the service itself. */
type GuardedCall = <T>(work: () => Promise<T>, account?: string) => Promise<T>;

/**
 * Limits the calls to one registry: concurrency, a queue that accounts share, a rate, a timeout and a circuit breaker.
 * A call waits for its turn at most as long as it may run. Calls that are not sent fail with RegistryNotContacted.
 */
export class RegistryGuard {
  readonly query: GuardedCall;
  readonly command: GuardedCall;
  /** Concurrent calls. */
  readonly concurrency: number;
  /** Closes the circuit breaker, for callers that know that the registry responds again. */
  readonly closeBreaker: () => void;
  /** Logs invalid data from the registry. */
  readonly warn: (message: string, facts: LogFacts) => void;
  private breakerOpenUntil = 0;

  constructor(
    private readonly name: string,
    limits: RegistryLimits,
    private readonly log: Log,
  ) {
    this.concurrency = limits.concurrency;
    const queue = new FairQueue(limits.concurrency, limits.queue);
    this.warn = (message, facts) => log.warn({ registry: name, ...facts }, message);
    // Rejections and inconclusive responses do not count: one problematic name must not block the others.
    const breaker = circuitBreaker(
      handleType(RegistryUnavailable, (error) => !(error instanceof RegistryInconclusive)),
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
          },
        ),
      },
    );
    breaker.onBreak((reason) => {
      if (!('isolated' in reason))
        log.error({ registry: name }, 'registry does not respond: circuit breaker open, calls are rejected');
    });
    breaker.onReset(() => log.info({ registry: name }, 'registry responds again: circuit breaker closed'));
    this.closeBreaker = () => {
      if (breaker.state === CircuitState.Open) breaker.isolate().dispose();
    };
    const rate = limits.perSecond === undefined ? undefined : new CallRate(limits.perSecond);

    // Plain timers: with cockatiel's timeouts, each call left objects in V8's old generation, for all their AbortSignals.
    const guardedCall = (milliseconds: number): GuardedCall => {
      return async (work, account = '') => {
        const call = { isSent: false, isCancelled: false };
        const send = async () => {
          if (!call.isCancelled) await rate?.turn();
          if (call.isCancelled) throw new Error('the time limit ended before the call was sent');
          call.isSent = true;
          return withinMs(milliseconds, this.callAdapter(work));
        };
        try {
          return await withinMs(
            2 * milliseconds,
            queue.run(account, () => breaker.execute(send)),
          );
        } catch (error) {
          call.isCancelled = true;
          throw call.isSent ? error : this.toNotContacted(error);
        }
      };
    };
    this.query = guardedCall(limits.queryMs);
    this.command = guardedCall(limits.commandMs);
  }

  private toNotContacted(cause: unknown): RegistryNotContacted {
    if (!(cause instanceof BrokenCircuitError))
      return new RegistryNotContacted("The registry's queue is full", 1, { cause });
    return new RegistryNotContacted(
      'The registry does not respond',
      Math.max(1, Math.ceil((this.breakerOpenUntil - Date.now()) / 1_000)),
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
