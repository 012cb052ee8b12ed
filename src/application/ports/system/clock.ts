import { token } from '../inject';

/** Real time: sessions, keys, leases, logs. */
export interface Clock {
  now(): Date;
  /** No clock has it: it tells the compiler which clock a parameter takes. */
  readonly shows?: 'real time';
}
export const Clock = token<Clock>('Clock');

/** The time for the domain lifecycle: real time, unless the sandbox has moved it ahead. */
export interface LifecycleClock {
  now(): Date;
  readonly shows?: 'lifecycle time';
}
export const LifecycleClock = token<LifecycleClock>('LifecycleClock');
