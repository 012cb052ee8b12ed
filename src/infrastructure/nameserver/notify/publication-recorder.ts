import { isPublished } from '../../../application/dns/publishing/publication';
import type { UnrecordedZone, ZonePublicationReader } from '../../../application/ports/dns/publishing';
import type { Clock, Log } from '../../../application/ports/system';
import { Outage } from '../../../application/shared/outage';
import { ConfirmedSerials } from './confirmed-serials';
import type { TrackedZone } from './secondary-link';
import type { SecondaryQueries } from './secondary-queries';

export interface PublicationRecorderParts {
  readonly publications: ZonePublicationReader;
  readonly record: (published: readonly UnrecordedZone[]) => Promise<void>;
  readonly queries: Pick<SecondaryQueries, 'query'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Offer {
  readonly serial: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** A serial of which the account is told as soon as all secondaries serve it or a later one. */
interface Target {
  readonly zone: UnrecordedZone;
  readonly offer: Offer;
  attempts: number;
}

const BATCH = 500;
/** Changes of a zone within it have one event. */
const INTERVAL_MS = 100;
const RETRY_MS = 1_000;
/** Of a zone that a secondary does not serve, although no NOTIFY of it is pending: its next one offers the zone again. */
const MAX_ATTEMPTS = 20;

/**
 * Has `zone.published` written for zones that every secondary serves, for the accounts that read such events. A zone is offered when
 * no secondary is known to be behind; what counts is what all of them answer then.
 */
export class PublicationRecorder {
  private readonly offers = new Map<string, Offer>();
  private readonly targets = new Map<string, Target>();
  /** Offers that repeat these cost nothing. */
  private readonly settled: ConfirmedSerials;
  private readonly outage: Outage;
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: PublicationRecorderParts) {
    this.settled = new ConfirmedSerials(parts.clock);
    this.outage = new Outage(parts.log, 'recording published zones');
  }

  /** The time of the earliest change that may be published and unrecorded, in milliseconds since 1970; Infinity if none. */
  get pendingSince(): number {
    const waiting = [...this.offers.values(), ...[...this.targets.values()].map(({ offer }) => offer)];
    return waiting.reduce((earliest, { changedAt }) => Math.min(earliest, changedAt), Infinity);
  }

  offer({ zoneName, serial, changedAt = this.parts.clock.now() }: TrackedZone): void {
    if (this.settled.has(zoneName, serial)) return;
    this.offers.set(zoneName, { serial, changedAt: changedAt.getTime() });
    this.schedule(INTERVAL_MS);
  }

  /** Forgets what waits, because another process does it now, or this one stops. */
  async clear(): Promise<void> {
    this.empty();
    await this.running;
    this.empty();
  }

  private empty(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.offers.clear();
    this.targets.clear();
  }

  private schedule(ms: number): void {
    this.timer ??= setTimeout(() => {
      this.running = this.run();
    }, ms).unref();
  }

  private async run(): Promise<void> {
    let pause = INTERVAL_MS;
    try {
      await this.takeOffers();
      await this.recordPublished();
      this.outage.recordSuccess();
    } catch (error) {
      this.outage.recordFailure(error);
      pause = RETRY_MS;
    } finally {
      this.timer = undefined;
      if (this.offers.size + this.targets.size > 0) this.schedule(pause);
    }
  }

  /** A later offer of a zone waits for the earlier one, so that a zone which changes all the time is published at times. */
  private async takeOffers(): Promise<void> {
    const taken = [...this.offers].filter(([zoneName]) => !this.targets.has(zoneName)).slice(0, BATCH);
    const zones = await this.parts.publications.unrecorded(taken.map(([zoneName]) => zoneName));
    const unrecorded = new Map(zones.map((zone) => [zone.zoneName, zone]));
    for (const [zoneName, offer] of taken) {
      if (this.offers.get(zoneName) === offer) this.offers.delete(zoneName);
      const zone = unrecorded.get(zoneName);
      if (zone) this.targets.set(zoneName, { zone, offer, attempts: 0 });
      else this.settled.add(zoneName, offer.serial, offer.changedAt);
    }
  }

  private async recordPublished(): Promise<void> {
    const targets = [...this.targets.values()];
    const published: UnrecordedZone[] = [];
    await Promise.all(
      targets.map(async (target) => {
        const reports = await this.parts.queries.query(target.zone);
        if (isPublished(target.zone.serial, reports)) published.push(target.zone);
        else target.attempts += 1;
      }),
    );
    if (published.length > 0) await this.parts.record(published);
    for (const { zone, offer, attempts } of targets) {
      const { zoneName, serial } = zone;
      const isRecorded = published.includes(zone);
      if (isRecorded) this.settled.add(zoneName, serial, offer.changedAt);
      if (isRecorded || attempts >= MAX_ATTEMPTS) this.targets.delete(zoneName);
    }
  }
}
