import { randomUUID } from 'node:crypto';
import type { ReserveCalls } from '../registry/routing/shared-call-rate';
import type { SharedBreaker } from '../registry/routing/registry-guard';
import type { LimitsStore } from './limits-store';

/**
 * When the next call is due, in microseconds on the store's clock. Nothing is reserved more than a minute ahead, unless the clock was
 * set back. Arguments: microseconds between calls, calls.
 */
const RESERVE = `
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local due = math.max(now, tonumber(redis.call('get', KEYS[1]) or 0))
if due > now + 60000000 then due = now end
local free = due + ARGV[1] * ARGV[2]
redis.call('set', KEYS[1], string.format('%.0f', free), 'PX', math.ceil((free - now) / 1000) + 1000)
return math.ceil((due - now) / 1000)`;
/** Arguments: milliseconds, process. */
const OPEN = `
if tonumber(ARGV[1]) > redis.call('pttl', KEYS[1]) then redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[1]) end`;
/** Arguments: process. */
const OPEN_FOR = `
if redis.call('get', KEYS[1]) == ARGV[1] then return 0 end
return redis.call('pttl', KEYS[1])`;
const CLOSE = "redis.call('del', KEYS[1])";
const SECOND_MICROS = 1_000_000;
/** How long a process may take to notice that another one opened the circuit breaker. */
const READ_EVERY_MS = 200;

const ignore = () => undefined;

/** Reserves calls to registries in the limits store. @throws LimitsStoreAway */
export function reserveInStore(store: LimitsStore): ReserveCalls {
  return async (registry, perSecond, count) =>
    Number(await store.run(RESERVE, store.keyOf('registry-rate', registry), [SECOND_MICROS / perSecond, count]));
}

/**
 * A circuit breaker that is open in one process is open in all of them. While the store is away, each has its own. It closes by itself, so
 * that a process that ends leaves nothing open.
 */
export function breakerInStore(store: LimitsStore, registry: string): SharedBreaker {
  const key = store.keyOf('registry-breaker', registry);
  const owner = randomUUID();
  let [openUntil, readAt] = [0, -Infinity];
  let reading: Promise<void> | undefined;
  const read = async () => {
    const ms = Number(await store.run(OPEN_FOR, key, [owner]).catch(() => 0));
    readAt = performance.now();
    openUntil = readAt + ms;
  };
  return {
    openForMs: async () => {
      if (performance.now() - readAt >= READ_EVERY_MS) await (reading ??= read().finally(() => (reading = undefined)));
      return Math.max(0, openUntil - performance.now());
    },
    open: (ms, trialMs) => void store.run(OPEN, key, [Math.round(ms + trialMs), owner]).catch(ignore),
    close: () => {
      openUntil = 0;
      void store.run(CLOSE, key, []).catch(ignore);
    },
  };
}
