import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../application/ports/system/clock';
import type { Leases } from '../../application/ports/storage/leases';
import type { Log } from '../../application/ports/system/log';
import type { PublishedZones } from '../../application/ports/dns/published-zones';
import type { KnownTsigKey, SecondaryDirectory } from '../../application/ports/dns/secondary-directory';
import { SealBroken } from '../../application/ports/system/secret-box';
import type { Secondary } from '../../domain/dns/secondary';
import type { NameserverClient } from './nameserver-client';
import { SecondaryLink, type TrackedZone } from './secondary-link';
import type { Sightings } from './sightings';

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

const LEASE = 'dns-notify';
const LEASE_MS = 5_000;
const RENEW_MS = 1_500;
/** What other processes changed, and what moves the catalog, is noticed at this pace. */
const POLL_MS = 200;
/** `changed_at` is the time of a write and not of its commit, on the writer's clock: so look back, and further at times. */
const LOOK_BACK_MS = 1_000;
const LOOK_FAR_BACK_MS = 120_000;
const LOOK_FAR_BACK_EVERY_MS = 10_000;
const DIRECTORY_EVERY_MS = 1_000;
/** Whatever else goes wrong, all zones are compared in the end. */
const SWEEP_EVERY_MS = 600_000;
const SWEEP_BACKLOG = 1_000;

/** Has every secondary told of every change until it has it. Of all processes that run one, the holder of a lease does. */
export class Notifier {
  private readonly owner = randomUUID();
  private readonly links = new Map<string, SecondaryLink>();
  private readonly sweeping = new Set<SecondaryLink>();
  private readonly sealed = new Set<string>();
  private running: Promise<void> | undefined;
  private isStopping = false;
  private isHolder = false;
  private readonly due = { lease: 0, directory: 0, farBack: 0, sweep: 0 };
  private catalogVersion = 0;
  private pollFrom = new Date(0);

  constructor(private readonly parts: NotifierParts) {}

  start(): void {
    this.due.sweep = performance.now() + SWEEP_EVERY_MS;
    this.pollFrom = new Date(this.parts.clock.now().getTime() - LOOK_BACK_MS);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.dropLinks();
    if (this.isHolder) await this.parts.leases.release(LEASE, this.owner).catch(() => undefined);
  }

  /** Tells at once, where this process is the one that does. */
  announce(zone: TrackedZone): void {
    for (const link of this.links.values()) link.pursue(zone);
  }

  private async run(): Promise<void> {
    let isFailing = false;
    while (!this.isStopping) {
      try {
        await this.turn();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.parts.log.error({ err: error }, 'looking for changed zones fails; it goes on when the database answers');
        isFailing = true;
        await sleep(DIRECTORY_EVERY_MS, undefined, { ref: false });
      }
      await sleep(POLL_MS, undefined, { ref: false });
    }
  }

  private async turn(): Promise<void> {
    if (this.isDue('lease', RENEW_MS)) this.isHolder = await this.parts.leases.hold(LEASE, this.owner, this.parts.clock.now(), LEASE_MS);
    if (!this.isHolder) {
      this.dropLinks();
      return;
    }
    if (this.isDue('directory', DIRECTORY_EVERY_MS)) await this.meetSecondaries();
    if (this.links.size === 0) return;
    await this.poll();
    if (this.isDue('sweep', SWEEP_EVERY_MS)) for (const link of this.links.values()) void this.sweep(link);
  }

  private async poll(): Promise<void> {
    const { catalogZone, clock, zones } = this.parts;
    const now = clock.now().getTime();
    const catalogVersion = await zones.catalogVersion();
    if (catalogVersion !== this.catalogVersion) this.announce({ zoneName: catalogZone, version: catalogVersion });
    this.catalogVersion = catalogVersion;
    const from = this.isDue('farBack', LOOK_FAR_BACK_EVERY_MS) ? new Date(Math.min(this.pollFrom.getTime(), now - LOOK_FAR_BACK_MS)) : this.pollFrom;
    for await (const page of zones.changedSince(from)) for (const zone of page) this.announce(zone);
    this.pollFrom = new Date(now - LOOK_BACK_MS);
  }

  private async meetSecondaries(): Promise<void> {
    const { directory } = this.parts;
    const secondaries = await directory.all();
    const wanted = new Map(secondaries.map((secondary) => [JSON.stringify(secondary), secondary]));
    for (const [id, link] of this.links) {
      if (wanted.has(id)) continue;
      link.stop();
      this.links.delete(id);
    }
    for (const [id, secondary] of wanted) if (!this.links.has(id)) await this.meet(id, secondary);
  }

  private async meet(id: string, secondary: Secondary): Promise<void> {
    const { catalogZone, client, clock, log, sightings, zones } = this.parts;
    const key = await this.keyOf(secondary);
    if (!key) return;
    const link: SecondaryLink = new SecondaryLink({
      secondary, key, client, sightings, clock, log, catalogZone,
      current: async (zoneName) => (zoneName === catalogZone ? { zoneName, version: await zones.catalogVersion() } : zones.find(zoneName)),
      onArrival: () => void this.sweep(link),
    });
    this.links.set(id, link);
    link.start();
  }

  /** Undefined for a secondary that cannot be told: its key is revoked, or sealed under another SECRET_KEY, which keeps no other from being told. */
  private async keyOf({ name, keyName }: Secondary): Promise<KnownTsigKey | undefined> {
    const { directory, log } = this.parts;
    try {
      return await directory.findKey(keyName);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (!this.sealed.has(keyName)) log.error({ err: error, secondary: name, key: keyName }, 'a secondary is told of nothing: its TSIG key does not open with this SECRET_KEY');
      this.sealed.add(keyName);
      return undefined;
    }
  }

  /** Compares everything, and tells of what is behind; one that takes up nothing is not asked for more and more. */
  private async sweep(link: SecondaryLink): Promise<void> {
    const { catalogZone, log, zones } = this.parts;
    if (this.sweeping.has(link)) return;
    this.sweeping.add(link);
    try {
      link.pursue({ zoneName: catalogZone, version: await zones.catalogVersion() }, { quiet: true });
      for await (const page of zones.changedSince(new Date(0))) {
        for (const zone of page) link.pursue(zone, { quiet: true });
        while (link.backlog > SWEEP_BACKLOG && !this.isStopping) await sleep(POLL_MS, undefined, { ref: false });
      }
    } catch (error) {
      log.warn({ err: error, secondary: link.secondary.name }, 'comparing all zones with a secondary was cut short; changes are told all the same');
    } finally {
      this.sweeping.delete(link);
    }
  }

  private dropLinks(): void {
    for (const link of this.links.values()) link.stop();
    this.links.clear();
  }

  private isDue(what: keyof typeof this.due, everyMs: number): boolean {
    const now = performance.now();
    if (now < this.due[what]) return false;
    this.due[what] = now + everyMs;
    return true;
  }
}

