import { AsyncLocalStorage } from 'node:async_hooks';
import { RegistryNotContacted } from './registry-errors';

export interface CommandLimit {
  /** Until when the command may send requests, by `performance.now()`. 0 after its caller has got an error. */
  until: number;
}

/** Global, because an adapter package may bring its own copy of this module. */
const KEY: unique symbol = Symbol.for('namewright.commandLimit');
const shared = globalThis as { [KEY]?: AsyncLocalStorage<CommandLimit> };
const storage = (shared[KEY] ??= new AsyncLocalStorage());
let running = 0;

/** Runs a command of an adapter, which gives up by `assertWithinTimeLimit` once it is over. */
export async function runWithLimit<T>(limit: CommandLimit, work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await storage.run(limit, work);
  } finally {
    running -= 1;
    // In use, it slows down each promise of the process.
    if (running === 0) storage.disable();
  }
}

/** Runs `work`, whose commands are not sent once the lease has ended: another process may have repeated them by then. */
export function runUnderLease<T>(isHeld: () => boolean, work: () => Promise<T>): Promise<T> {
  const lease: CommandLimit = {
    get until() {
      return isHeld() ? Infinity : 0;
    },
  };
  return runWithLimit(lease, work);
}

/** A limit that ends at `until`, or with the lease under which the command is called. */
export function limitUntil(until: number): CommandLimit {
  const lease = storage.getStore();
  let own = until;
  return {
    get until() {
      return Math.min(own, lease?.until ?? Infinity);
    },
    set until(time) {
      own = time;
    },
  };
}

/**
 * For adapters: call it before each request of a command that sends several. After the time limit of the command its
 * request could undo a later change. @throws RegistryNotContacted
 */
export function assertWithinTimeLimit(): void {
  const limit = storage.getStore();
  if (limit && performance.now() >= limit.until)
    throw new RegistryNotContacted('The time limit of the command ended before this request was sent');
}
