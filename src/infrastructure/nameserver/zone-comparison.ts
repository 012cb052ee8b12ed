import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../../application/outage';
import type { PublishedZones } from '../../application/ports/dns/published-zones';
import type { SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import type { Clock } from '../../application/ports/system/clock';
import type { Log } from '../../application/ports/system/log';
import type { SecondaryLink } from './secondary-link';

export interface ZoneComparisonParts {
  readonly link: SecondaryLink;
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalogZone: string;
}

/** `changed_at` is the time of a write on the writer's clock: a commit may show up this much later. */
export const CLOCKS_DIFFER_BY_MS = 120_000;
const BACKLOG = 1_000;
const PAUSE_MS = 50;

/**
 * Compares zones with what one secondary serves, a page at a time. How far it has caught up is kept in the database, so that
 * the next process that sends NOTIFY compares what was changed since, and not every zone.
 */
export class ZoneComparison {
  private readonly outage: Outage;
  private isActive = false;
  private isRunning = false;
  /** Undefined until it was read: the secondary is new here, or was away. */
  private kept: number | undefined;
  private next = Infinity;
  private cursor = Infinity;

  constructor(private readonly parts: ZoneComparisonParts) {
    this.outage = new Outage(parts.log, 'zones to compare with a secondary', { secondary: parts.link.secondary.name });
  }

  start(): void {
    this.isActive = true;
    this.resume();
  }

  stop(): void {
    this.isActive = false;
  }

  /** Goes on from what is kept: the secondary may have missed anything since. */
  resume(): void {
    this.kept = undefined;
    void this.run();
  }

  /** Compares the zones changed at or after `time`, in milliseconds since 1970; all of them since 0. */
  since(time: number): void {
    this.next = Math.min(this.next, time);
    void this.run();
  }

  /** Keeps how far the secondary has caught up, if anything was changed since, and tries again what has failed. */
  async keep(): Promise<void> {
    const { clock, directory, link } = this.parts;
    void this.run();
    if (!this.isActive || !link.isThere || this.kept === undefined || link.latestChange < this.kept) return;
    const until = Math.min(clock.now().getTime() - CLOCKS_DIFFER_BY_MS, this.cursor, this.next, link.pendingSince);
    if (until <= this.kept) return;
    await directory.keepCaughtUpTo(link.secondary.name, new Date(until));
    this.kept = until;
  }

  private get canRun(): boolean {
    return this.isActive && this.parts.link.isThere;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.canRun) {
        if (this.kept === undefined) await this.readKept();
        if (this.next === Infinity) break;
        this.cursor = this.next;
        this.next = Infinity;
        await this.compare();
        this.outage.succeeded();
      }
    } catch (error) {
      this.outage.failed(error);
    } finally {
      this.next = Math.min(this.next, this.cursor);
      this.isRunning = false;
    }
  }

  private async readKept(): Promise<void> {
    const { catalogZone, directory, link, zones } = this.parts;
    const kept = (await directory.caughtUpTo(link.secondary.name)).getTime();
    link.track({ zoneName: catalogZone, version: await zones.catalogVersion() }, { quiet: true });
    this.kept = kept;
    this.next = Math.min(this.next, kept);
  }

  /** A secondary that takes up nothing is not asked for more and more. */
  private async compare(): Promise<void> {
    const { link, zones } = this.parts;
    for await (const page of zones.changedSince(new Date(this.cursor))) {
      for (const zone of page) link.track(zone, { quiet: true });
      while (this.canRun && link.backlog > BACKLOG) await sleep(PAUSE_MS, undefined, { ref: false });
      if (!this.canRun) return;
      this.cursor = page.at(-1)?.changedAt.getTime() ?? this.cursor;
    }
    this.cursor = Infinity;
  }
}
