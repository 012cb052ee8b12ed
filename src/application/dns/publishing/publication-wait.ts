import { setTimeout as sleep } from 'node:timers/promises';
import { inject, injectable, token } from '../../ports/inject';
import { ZonePublisher, type SecondaryReport, type ZoneState } from '../../ports/dns/publishing';
import { hasReached, isPublished } from './publication';

export const PublicationWaitMs = token<number>('PublicationWaitMs');

const SHORTEST_PAUSE_MS = 5;
/** Of the time waited so far: a response is late by at most so much. */
const PAUSE_SHARE = 0.25;
const MAX_PAUSE_MS = 250;

/** `no_secondaries`: no nameserver would serve the zone, so none is waited for. */
type PublicationOutcome = 'published' | 'late' | 'no_secondaries';

/** Waits until every secondary serves a serial of a zone, for a while. */
@injectable()
export class PublicationWait {
  constructor(
    @inject(ZonePublisher) private readonly publisher: ZonePublisher,
    @inject(PublicationWaitMs) private readonly limitMs: number,
  ) {}

  /** Whether every secondary serves it; false after the time limit, and at once if there is no secondary. */
  async waitUntilPublished(zone: ZoneState, limitMs?: number): Promise<boolean> {
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

  /** The secondaries that do not serve it now. */
  async behind(zone: ZoneState): Promise<readonly SecondaryReport[]> {
    return (await this.publisher.querySecondaries(zone)).filter((report) => !hasReached(zone.serial, report));
  }

  private async askUntil(zone: ZoneState, timeIsUp: AbortSignal): Promise<PublicationOutcome> {
    const since = performance.now();
    for (;;) {
      const reports = await this.publisher.querySecondaries(zone);
      if (isPublished(zone.serial, reports)) return 'published';
      if (reports.length === 0) return 'no_secondaries';
      if (timeIsUp.aborted) return 'late';
      const share = (performance.now() - since) * PAUSE_SHARE;
      await sleep(Math.min(Math.max(share, SHORTEST_PAUSE_MS), MAX_PAUSE_MS));
    }
  }
}
