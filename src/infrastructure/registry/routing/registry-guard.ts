import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleType,
  noJitterGenerator,
  TaskCancelledError,
  timeout,
  TimeoutStrategy,
  type IBackoffFactory,
  type IPolicy,
} from 'cockatiel';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import type { Log, LogFacts } from '../../../application/ports/system/log';
import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../application/ports/registry/registry-errors';
import { FairQueue } from './fair-queue';
import { isOfThePort, registryError } from './registry-error';
import type { RegistryLimits } from './registry-limits';

const LONGEST_RETRY_MS = 60_000;

/** The call counts for `account`; without one, for the service itself. */
type Lane = <T>(work: () => Promise<T>, account?: string) => Promise<T>;

/**
 * What stands between us and one registry: a bounded number of calls at a time, a bounded queue before them that accounts share, a rate, a
 * time limit, and a circuit breaker. Whoever is turned away, or has waited for a turn for too long, is told RegistryNotContacted,
 * and nothing of it is sent any more. A call waits at most as long for its turn as it may take afterwards. A refusal by the registry is an answer, and so is that it cannot decide: one name in trouble must not cost the others theirs.
 */
export class RegistryGuard {
  readonly query: Lane;
  readonly command: Lane;
  /** Calls at a time. */
  readonly concurrency: number;
  /** Ends the time for which the registry is left alone: whoever says so knows that it answers. */
  readonly trust: () => void;
  /** Logs what is wrong with the registry's facts. */
  readonly watch: (what: string, facts: LogFacts) => void;
  private leftAloneUntil = 0;

  constructor(
    private readonly name: string,
    limits: RegistryLimits,
    private readonly log: Log,
  ) {
    this.concurrency = limits.concurrency;
    const queue = new FairQueue(limits.concurrency, limits.queue);
    this.watch = (what, facts) => log.warn({ registry: name, ...facts }, what);
    const breaker = circuitBreaker(
      handleType(RegistryUnavailable, (error) => !(error instanceof RegistryInconclusive)),
      {
        breaker: new ConsecutiveBreaker(limits.failures),
        halfOpenAfter: telling(
          new ExponentialBackoff({
            initialDelay: limits.retryAfterMs,
            maxDelay: Math.max(limits.retryAfterMs, LONGEST_RETRY_MS),
            generator: noJitterGenerator,
          }),
          (ms) => {
            this.leftAloneUntil = Date.now() + ms;
          },
        ),
      },
    );
    breaker.onBreak((reason) => {
      if (!('isolated' in reason))
        log.error({ registry: name }, 'a registry does not answer and is left alone for a while');
    });
    breaker.onReset(() => log.info({ registry: name }, 'a registry answers again'));
    this.trust = () => {
      if (breaker.state === CircuitState.Open) breaker.isolate().dispose();
    };
    const turn = rateOf(limits);

    const lane = (milliseconds: number): Lane => {
      const patience = timeout(2 * milliseconds, TimeoutStrategy.Aggressive);
      const limit = timeout(milliseconds, TimeoutStrategy.Aggressive);
      return async (work, account = '') => {
        const call = { isSent: false, isGivenUp: false };
        try {
          const send = async () => {
            if (!call.isGivenUp) await turn();
            if (call.isGivenUp) throw new TaskCancelledError();
            call.isSent = true;
            return within(limit, () => this.told(work));
          };
          return await patience.execute(() => queue.run(account, () => breaker.execute(send)));
        } catch (error) {
          call.isGivenUp = true;
          throw call.isSent ? unanswered(error) : this.unasked(error);
        }
      };
    };
    this.query = lane(limits.queryMs);
    this.command = lane(limits.commandMs);
  }

  private unasked(cause: unknown): RegistryNotContacted {
    if (!(cause instanceof BrokenCircuitError))
      return new RegistryNotContacted('Too much waits for the registry', 1, { cause });
    return new RegistryNotContacted(
      'The registry has not been answering',
      Math.max(1, Math.ceil((this.leftAloneUntil - Date.now()) / 1_000)),
      { cause },
    );
  }

  private async told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isOfThePort(error))
        this.log.error({ registry: this.name, err: error }, 'an adapter failed otherwise than its port says');
      throw registryError(error);
    }
  }
}

function rateOf({ perSecond, queue }: RegistryLimits): () => Promise<void> {
  if (perSecond === undefined) return async () => undefined;
  const tokens = new RateLimiterQueue(new RateLimiterMemory({ points: perSecond, duration: 1 }), {
    maxQueueSize: queue,
  });
  return async () => {
    await tokens.removeTokens(1);
  };
}

/** Silence counts against the registry, wherever else a cancelled call does not. */
async function within<T>(limit: IPolicy, work: () => Promise<T>): Promise<T> {
  try {
    return await limit.execute(work);
  } catch (error) {
    throw unanswered(error);
  }
}

function unanswered(error: unknown): unknown {
  return error instanceof TaskCancelledError
    ? new RegistryUnavailable('The registry did not answer in time', undefined, { cause: error })
    : error;
}

/** Tells how long each wait is that begins. */
function telling(backoff: IBackoffFactory<unknown>, tell: (ms: number) => void): IBackoffFactory<unknown> {
  return {
    next: (context) => {
      const next = backoff.next(context);
      tell(next.duration);
      return { ...telling(next, tell), duration: next.duration };
    },
  };
}
