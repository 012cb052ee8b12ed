import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { ZonePublisher, type ZoneState } from '../../ports/dns/zone-publisher';
import { isPublished } from './publication';

export const PublicationWaitMs = Symbol('PublicationWaitMs');

const FIRST_PAUSE_MS = 5;
/** Each pause is by this factor longer, so a response is late by at most half of the time that it took. */
const GROWTH = 1.5;
const LAST_PAUSE_MS = 250;

/** `no_secondaries`: no nameserver would serve the zone, so none is waited for. */
export type PublicationOutcome = 'published' | 'late' | 'no_secondaries';

/** Waits until every secondary serves a serial of a zone, for a while. */
@injectable()
export class PublicationWait {
  constructor(
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWaitMs) private readonly limitMs: number,
  ) {}

  /** Whether every secondary serves it; false after the time limit, and at once if there is no secondary. */
  async reached(zone: ZoneState, limitMs?: number): Promise<boolean> {
    return (await this.wait(zone, limitMs)) === 'published';
  }

  /** Waits at most `limitMs` milliseconds. */
  async wait(zone: ZoneState, limitMs = this.limitMs): Promise<PublicationOutcome> {
    const timeIsUp = new AbortController();
    const timer = setTimeout(() => timeIsUp.abort(), limitMs);
    const waiting = this.askUntil(zone, timeIsUp.signal);
    const aborted = new Promise<'late'>((resolve) => {
      timeIsUp.signal.addEventListener('abort', () => resolve('late'));
    });
    try {
      return await Promise.race([waiting, aborted]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async askUntil(zone: ZoneState, timeIsUp: AbortSignal): Promise<PublicationOutcome> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LAST_PAUSE_MS)) {
      const reports = await this.publisher.querySecondaries(zone);
      if (isPublished(zone.serial, reports)) return 'published';
      if (reports.length === 0) return 'no_secondaries';
      if (timeIsUp.aborted) return 'late';
      await sleep(pause);
    }
  }
}
