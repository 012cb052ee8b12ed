import { setTimeout as sleep } from 'node:timers/promises';
import { Outage } from '../../application/outage';
import type { Clock } from '../../application/ports/system/clock';
import type { Leases } from '../../application/ports/storage/leases';
import type { Log } from '../../application/ports/system/log';
import type { PublishedZones } from '../../application/ports/dns/published-zones';
import type { KnownTsigKey, SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import { SealBroken } from '../../application/ports/system/secret-box';
import type { Endpoint, Secondary } from '../../domain/dns/secondary';
import type { NameserverClient } from './nameserver-client';
import { NotifyLease } from './notify-lease';
import { SecondaryLink, type TrackedZone } from './secondary-link';
import type { Sightings } from './sightings';
import { CLOCKS_DIFFER_BY_MS, ZoneComparison } from './zone-comparison';

export interface NotifierParts {
  readonly zones: PublishedZones;
  readonly directory: SecondaryDirectory;
  readonly leases: Leases;
  readonly client: NameserverClient;
  readonly sightings: Sightings;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalogZone: string;
}

interface Told {
  readonly link: SecondaryLink;
  readonly comparison: ZoneComparison;
}

/** What other processes changed is noticed at this pace, as is that another one takes over. */
const POLL_MS = 200;
const RETRY_MS = 1_000;
/** `changed_at` is the time of a write and not of its commit, on the writer's clock: so look back, and further at times. */
const LOOK_BACK_MS = 1_000;
const LOOK_FAR_BACK_EVERY_MS = 10_000;
const DIRECTORY_EVERY_MS = 1_000;
const KEEP_EVERY_MS = 10_000;
/** Whatever else goes wrong, all zones are compared in the end. */
const SWEEP_EVERY_MS = 600_000;

/**
 * Has every secondary told of every change until it has it. Each process tells of its own changes at once; the holder of a lease
 * tells of what any of them changed, and of what a secondary has missed.
 */
export class Notifier {
  private readonly told = new Map<string, Told>();
  private readonly sealed = new Set<string>();
  private readonly outage: Outage;
  private lease: NotifyLease | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isHolder = false;
  private isNudged = false;
  private wake: () => void = () => undefined;
  private readonly due = { directory: 0, farBack: 0, keep: 0, sweep: 0 };
  private catalogVersion = 0;
  private pollFrom = 0;

  constructor(private readonly parts: NotifierParts) {
    this.outage = new Outage(parts.log, 'changed zones');
    parts.zones.onChange(() => this.nudge());
  }

  /** @param listens where this process answers nameservers */
  start(listens: Endpoint): void {
    this.lease = new NotifyLease(this.parts.leases, listens);
    this.pollFrom = this.parts.clock.now().getTime() - LOOK_BACK_MS;
    this.running = this.run(this.lease);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.nudge();
    await this.running;
    if (this.isHolder) await this.keep().catch(() => undefined);
    for (const id of this.told.keys()) this.drop(id);
    await this.lease?.release().catch(() => undefined);
  }

  /** Tells at once of a change that this process made. */
  announce(zone: TrackedZone): void {
    for (const { link } of this.told.values()) link.track(zone);
  }

  /** This process changed zones: does not wait for the next poll. */
  private nudge(): void {
    this.isNudged = true;
    this.wake();
  }

  private async run(lease: NotifyLease): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.turn(lease);
        this.outage.succeeded();
      } catch (error) {
        this.outage.failed(error);
        await sleep(RETRY_MS, undefined, { ref: false });
      }
      await this.pause();
    }
  }

  private async turn(lease: NotifyLease): Promise<void> {
    const wasHolder = this.isHolder;
    const isNudged = this.isNudged;
    this.isNudged = false;
    this.isHolder = await lease.hold();
    if (this.isHolder !== wasHolder) this.changeRole();
    if (this.isDue('directory', DIRECTORY_EVERY_MS)) await this.meetSecondaries();
    if (this.told.size === 0) return;
    if (this.isHolder || isNudged) await this.poll();
    if (!this.isHolder) return;
    if (this.isDue('keep', KEEP_EVERY_MS)) await this.keep();
    if (this.isDue('sweep', SWEEP_EVERY_MS)) for (const { comparison } of this.told.values()) comparison.since(0);
  }

  private async pause(): Promise<void> {
    if (this.isNudged || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private changeRole(): void {
    this.due.sweep = performance.now() + SWEEP_EVERY_MS;
    for (const { comparison } of this.told.values()) {
      if (this.isHolder) comparison.start();
      else comparison.stop();
    }
  }

  private async poll(): Promise<void> {
    const { catalogZone, clock, zones } = this.parts;
    const now = clock.now().getTime();
    const catalogVersion = await zones.catalogVersion();
    if (catalogVersion !== this.catalogVersion) this.announce({ zoneName: catalogZone, version: catalogVersion });
    this.catalogVersion = catalogVersion;
    const isFar = this.isHolder && this.isDue('farBack', LOOK_FAR_BACK_EVERY_MS);
    await this.tellSince(isFar ? Math.min(this.pollFrom, now - CLOCKS_DIFFER_BY_MS) : this.pollFrom);
    this.pollFrom = now - LOOK_BACK_MS;
  }

  /** A page at once; more than that at the pace at which each secondary takes it up. */
  private async tellSince(from: number): Promise<void> {
    let isFirst = true;
    for await (const page of this.parts.zones.changedSince(new Date(from))) {
      for (const { link, comparison } of this.told.values()) {
        if (isFirst) for (const zone of page) link.track(zone, { quiet: true });
        else comparison.since(from);
      }
      if (!isFirst) return;
      isFirst = false;
    }
  }

  private async keep(): Promise<void> {
    for (const { comparison } of this.told.values()) await comparison.keep();
  }

  private async meetSecondaries(): Promise<void> {
    const secondaries = await this.parts.directory.all();
    const wanted = new Map(secondaries.map((secondary) => [JSON.stringify(secondary), secondary]));
    for (const id of this.told.keys()) if (!wanted.has(id)) this.drop(id);
    for (const [id, secondary] of wanted) if (!this.told.has(id)) await this.meet(id, secondary);
  }

  private async meet(id: string, secondary: Secondary): Promise<void> {
    const { catalogZone, client, clock, directory, log, sightings, zones } = this.parts;
    const key = await this.keyOf(secondary);
    if (!key) return;
    const link = new SecondaryLink({
      secondary,
      key,
      client,
      sightings,
      clock,
      log,
      catalogZone,
      current: async (zoneName) =>
        zoneName === catalogZone ? { zoneName, version: await zones.catalogVersion() } : zones.find(zoneName),
      onArrival: () => comparison.resume(),
    });
    const comparison = new ZoneComparison({ link, zones, directory, clock, log, catalogZone });
    this.told.set(id, { link, comparison });
    if (this.isHolder) comparison.start();
    link.start();
  }

  private drop(id: string): void {
    const { comparison, link } = this.told.get(id) ?? {};
    comparison?.stop();
    link?.stop();
    this.told.delete(id);
  }

  /** Undefined for a secondary that cannot be told: its key is revoked, or sealed under another SECRET_KEY, which keeps no other from being told. */
  private async keyOf({ name, keyName }: Secondary): Promise<KnownTsigKey | undefined> {
    const { directory, log } = this.parts;
    try {
      return await directory.findKey(keyName);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (!this.sealed.has(keyName))
        log.error(
          { err: error, secondary: name, key: keyName },
          'a secondary is told of nothing: its TSIG key does not open with this SECRET_KEY',
        );
      this.sealed.add(keyName);
      return undefined;
    }
  }

  private isDue(what: keyof typeof this.due, everyMs: number): boolean {
    const now = performance.now();
    if (now < this.due[what]) return false;
    this.due[what] = now + everyMs;
    return true;
  }
}
