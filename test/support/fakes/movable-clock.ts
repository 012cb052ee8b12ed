import type { Clock } from '../../../src/application/ports/system';

const DAY_MS = 86_400_000;

/** Stands still until it is moved. */
export class MovableClock implements Clock {
  private time: number;

  constructor(start: string | Date = '2026-01-01T00:00:00.000Z') {
    this.time = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.time);
  }

  advance({ days = 0, ms = 0 }: { days?: number; ms?: number }): void {
    this.time += days * DAY_MS + ms;
  }
}
