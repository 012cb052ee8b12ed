import { token } from '../inject';

export interface Clock {
  now(): Date;
}

/** Real time: sessions, keys, leases, logs. */
export const Clock = token<Clock>('Clock');

/** The time for the domain lifecycle: real time, unless the sandbox has moved it ahead. */
export const LifecycleClock = token<Clock>('LifecycleClock');
