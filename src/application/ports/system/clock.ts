export interface Clock {
  now(): Date;
}

/** Real time: sessions, keys, leases, logs. */
export const Clock = Symbol('Clock');

/** The time for the domain lifecycle: real time, unless the sandbox has moved it ahead. */
export const LifecycleClock = Symbol('LifecycleClock');
