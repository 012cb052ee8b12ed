import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../../../application/shared/outage';
import { type Clock, type Log, SealBroken } from '../../../application/ports/system';
import type { Leases } from '../../../application/ports/storage/replicas';
import type { PublishedZones, KnownTsigKey, SecondaryDirectory } from '../../../application/ports/dns/publishing';
import type { Endpoint, Secondary } from '../../../domain/dns/secondaries/secondary';
import type { NameserverClient } from '../nameserver-client';
import { NotifyLease } from './notify-lease';
import type { PublicationRecorder } from './publication-recorder';
import { SecondaryLink, type SecondaryStatus, type TrackedZone } from './secondary-link';
import type { ServedSerials } from './served-serials';
import type { NotifyTimes } from './notify-times';
import { ZoneComparison } from './zone-comparison';

interface NotifierParts {
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly leases: Leases;
  readonly client: NameserverClient;
  readonly servedSerials: ServedSerials;
  readonly clock: Clock;
  readonly log: Log;
  readonly recorder: PublicationRecorder;
  readonly catalogZone: string;
  readonly times: NotifyTimes;
}

interface ActiveSecondary {
  readonly link: SecondaryLink;
  readonly comparison: ZoneComparison;
}

const POLL_INTERVAL_MS = 200;
const RETRY_MS = 1_000;
/** `changed_at` is the time of a write and not of its commit, on the writer's clock, so polls overlap. */
const POLL_OVERLAP_MS = 1_000;
const DIRECTORY_INTERVAL_MS = 1_000;

/**
 * Sends NOTIFY for every change until each secondary serves it. Each process covers its own changes at once; the holder of
 * the lease also covers other processes' changes and those that a secondary missed.
 */
export class Notifier {
  private readonly active = new Map<string, ActiveSecondary>();
  private readonly unreadableKeys = new Set<string>();
  private readonly outage: Outage;
  private lease: NotifyLease | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isHolder = false;
  private isPollRequested = false;
  private wake: () => void = () => undefined;
  private readonly due = { directory: 0, longOverlap: 0, save: 0, fullComparison: 0 };
  private catalogVersion = 0;
  private pollFrom = 0;

  constructor(private readonly parts: NotifierParts) {
    this.outage = new Outage(parts.log, 'reading changed zones');
    parts.zones.onChange(() => this.requestPoll());
  }

  start(listenEndpoint: Endpoint): void {
    this.lease = new NotifyLease(this.parts.leases, listenEndpoint);
    this.pollFrom = this.parts.clock.now().getTime() - POLL_OVERLAP_MS;
    this.running = this.run(this.lease);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.requestPoll();
    await this.running;
    if (this.isHolder) await this.saveProgress().catch(() => undefined);
    for (const id of this.active.keys()) this.removeSecondary(id);
    await this.parts.recorder.clear();
    await this.lease?.release().catch(() => undefined);
  }

  statuses(): readonly SecondaryStatus[] {
    return [...this.active.values()].map(({ link }) => link.status);
  }

  /** Sends NOTIFY at once for a change that this process made. */
  notifyAll(zone: TrackedZone): void {
    for (const { link } of this.active.values()) link.track(zone);
  }

  private requestPoll(): void {
    this.isPollRequested = true;
    this.wake();
  }

  private async run(lease: NotifyLease): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.runOnce(lease);
        this.outage.recordSuccess();
      } catch (error) {
        this.outage.recordFailure(error);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
      await this.pause();
    }
  }

  private async runOnce(lease: NotifyLease): Promise<void> {
    const wasHolder = this.isHolder;
    const { isPollRequested } = this;
    this.isPollRequested = false;
    this.isHolder = await lease.hold();
    if (this.isHolder !== wasHolder) await this.changeRole();
    if (this.takeDue('directory', DIRECTORY_INTERVAL_MS)) await this.syncSecondaries();
    if (this.active.size === 0) return;
    if (this.isHolder || isPollRequested) await this.poll();
    if (!this.isHolder) return;
    if (this.takeDue('save', this.parts.times.saveInterval)) await this.saveProgress();
    if (this.takeDue('fullComparison', this.parts.times.fullComparisonInterval))
      for (const { comparison } of this.active.values()) comparison.compareSince(0);
  }

  private async pause(): Promise<void> {
    if (this.isPollRequested || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL_MS).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async changeRole(): Promise<void> {
    this.due.fullComparison = performance.now() + this.parts.times.fullComparisonInterval;
    for (const { comparison } of this.active.values()) {
      if (this.isHolder) comparison.start();
      else comparison.stop();
    }
    if (!this.isHolder) await this.parts.recorder.clear();
  }

  /** One process records publications, because it covers the changes of all. */
  private offerPublished(zone: TrackedZone): void {
    const { catalogZone, recorder } = this.parts;
    if (!this.isHolder || zone.zoneName === catalogZone) return;
    if ([...this.active.values()].every(({ link }) => link.mayServe(zone.zoneName))) recorder.offer(zone);
  }

  private async poll(): Promise<void> {
    const { catalogZone, clock, times, zones } = this.parts;
    const now = clock.now().getTime();
    const catalogVersion = await zones.catalogVersion();
    if (catalogVersion !== this.catalogVersion) this.notifyAll({ zoneName: catalogZone, serial: catalogVersion });
    this.catalogVersion = catalogVersion;
    const isLongOverlap = this.isHolder && this.takeDue('longOverlap', times.longOverlapInterval);
    await this.trackChangesSince(isLongOverlap ? Math.min(this.pollFrom, now - times.maxClockSkew) : this.pollFrom);
    this.pollFrom = now - POLL_OVERLAP_MS;
  }

  /** Tracks the first page directly; leaves more to the comparison, which waits for the secondary. */
  private async trackChangesSince(from: number): Promise<void> {
    let isFirst = true;
    for await (const page of this.parts.zones.changedSince(new Date(from))) {
      for (const { link, comparison } of this.active.values()) {
        if (isFirst) for (const zone of page) link.track(zone, { checkFirst: true });
        else comparison.compareSince(from);
      }
      if (!isFirst) return;
      isFirst = false;
    }
  }

  private async saveProgress(): Promise<void> {
    for (const { comparison } of this.active.values()) await comparison.saveProgress();
  }

  private async syncSecondaries(): Promise<void> {
    const secondaries = await this.parts.directory.all();
    const configured = new Map(secondaries.map((secondary) => [JSON.stringify(secondary), secondary]));
    for (const id of this.active.keys()) if (!configured.has(id)) this.removeSecondary(id);
    for (const [id, secondary] of configured) if (!this.active.has(id)) await this.addSecondary(id, secondary);
  }

  private async addSecondary(id: string, secondary: Secondary): Promise<void> {
    const { catalogZone, client, clock, directory, log, servedSerials, times, zones } = this.parts;
    const key = await this.keyOf(secondary);
    if (!key) return;
    const link = new SecondaryLink({
      secondary,
      key,
      client,
      servedSerials,
      clock,
      log,
      catalogZone,
      findZone: async (zoneName) =>
        zoneName === catalogZone ? { zoneName, serial: await zones.catalogVersion() } : zones.find(zoneName),
      onReachable: () => comparison.resume(),
      onServed: (zone) => this.offerPublished(zone),
      times,
    });
    const unrecordedSince = () => this.parts.recorder.pendingSince;
    const comparison = new ZoneComparison({ link, zones, directory, clock, log, catalogZone, unrecordedSince, times });
    this.active.set(id, { link, comparison });
    if (this.isHolder) comparison.start();
    link.start();
  }

  private removeSecondary(id: string): void {
    const { comparison, link } = this.active.get(id) ?? {};
    comparison?.stop();
    link?.stop();
    this.active.delete(id);
  }

  /** Undefined for a revoked key, or one encrypted with another SECRET_KEY: the other secondaries still get NOTIFY. */
  private async keyOf({ name, keyName }: Secondary): Promise<KnownTsigKey | undefined> {
    const { directory, log } = this.parts;
    try {
      return await directory.findKey(keyName);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (!this.unreadableKeys.has(keyName))
        log.error(
          { err: error, secondary: name, key: keyName },
          'a secondary gets no NOTIFY: its TSIG key cannot be decrypted with this SECRET_KEY',
        );
      this.unreadableKeys.add(keyName);
      return undefined;
    }
  }

  private takeDue(task: keyof typeof this.due, intervalMs: number): boolean {
    const now = performance.now();
    if (now < this.due[task]) return false;
    this.due[task] = now + intervalMs;
    return true;
  }
}
