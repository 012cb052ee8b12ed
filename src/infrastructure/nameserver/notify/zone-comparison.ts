import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../../../application/shared/outage';
import type { PublishedZones, SecondaryDirectory } from '../../../application/ports/dns/publishing';
import type { Clock, Log } from '../../../application/ports/system';
import type { NotifyTimes } from './notify-times';
import type { SecondaryLink } from './secondary-link';

interface ZoneComparisonParts {
  readonly link: SecondaryLink;
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalogZone: string;
  /** The time of the earliest change that may be published and unrecorded. */
  readonly unrecordedSince: () => number;
  readonly times: NotifyTimes;
}

const MAX_BACKLOG = 1_000;
const PAUSE_MS = 50;

/**
 * Compares zones with what one secondary serves, page by page. Stores its progress in the database, so that the next
 * process that sends NOTIFY compares only the zones changed since.
 */
export class ZoneComparison {
  private readonly outage: Outage;
  private isActive = false;
  private isRunning = false;
  /** The stored progress; undefined until it is read, after a start or an outage of the secondary. */
  private savedUntil: number | undefined;
  private next = Infinity;
  private cursor = Infinity;

  constructor(private readonly parts: ZoneComparisonParts) {
    this.outage = new Outage(parts.log, 'comparing zones with a secondary', { secondary: parts.link.secondary.name });
  }

  start(): void {
    this.isActive = true;
    this.resume();
  }

  stop(): void {
    this.isActive = false;
    this.outage.end();
  }

  /** Continues from the stored progress, because the secondary may have missed any change since. */
  resume(): void {
    this.savedUntil = undefined;
    void this.run();
  }

  /** Compares the zones changed at or after `time`, in milliseconds since 1970; 0 compares all. */
  compareSince(time: number): void {
    this.next = Math.min(this.next, time);
    void this.run();
  }

  /** Stores the progress if zones changed since the last call, and retries a failed comparison. */
  async saveProgress(): Promise<void> {
    const { clock, directory, link, times, unrecordedSince } = this.parts;
    void this.run();
    if (!this.isActive || !link.isReachable || this.savedUntil === undefined || link.latestChange < this.savedUntil)
      return;
    const ends = [this.cursor, this.next, link.pendingSince, unrecordedSince()];
    const until = Math.min(clock.now().getTime() - times.maxClockSkew, ...ends);
    if (until <= this.savedUntil) return;
    await directory.keepCaughtUpTo(link.secondary.name, new Date(until));
    this.savedUntil = until;
  }

  private get canRun(): boolean {
    return this.isActive && this.parts.link.isReachable;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.canRun) {
        if (this.savedUntil === undefined) await this.readProgress();
        if (this.next === Infinity) break;
        this.cursor = this.next;
        this.next = Infinity;
        await this.compare();
        this.outage.recordSuccess();
      }
    } catch (error) {
      this.outage.recordFailure(error);
    } finally {
      this.next = Math.min(this.next, this.cursor);
      this.isRunning = false;
    }
  }

  private async readProgress(): Promise<void> {
    const { catalogZone, directory, link, zones } = this.parts;
    const savedUntil = (await directory.caughtUpTo(link.secondary.name)).getTime();
    link.track({ zoneName: catalogZone, serial: await zones.catalogVersion() }, { checkFirst: true });
    this.savedUntil = savedUntil;
    this.next = Math.min(this.next, savedUntil);
  }

  /** Pauses while the secondary has a long backlog, which bounds memory and traffic. */
  private async compare(): Promise<void> {
    const { link, zones } = this.parts;
    for await (const page of zones.changedSince(new Date(this.cursor))) {
      for (const zone of page) link.track(zone, { checkFirst: true });
      while (this.canRun && link.backlog > MAX_BACKLOG) await sleep(PAUSE_MS, undefined, { ref: false });
      if (!this.canRun) return;
      this.cursor = page.at(-1)?.changedAt.getTime() ?? this.cursor;
    }
    this.cursor = Infinity;
  }
}
