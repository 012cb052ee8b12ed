export interface Clock {
  now(): Date;
}

/** Real time: sessions, keys, leases, logs. */
export const Clock = Symbol('Clock');

/** The time in which domains live. The sandbox can move it ahead of real time; nothing else differs. */
export const LifecycleClock = Symbol('LifecycleClock');
