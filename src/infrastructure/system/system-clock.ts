import type { Clock } from '../../application/ports/system/clock';

export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }
}
