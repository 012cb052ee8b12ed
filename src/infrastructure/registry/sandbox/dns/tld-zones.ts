import { createHash } from 'node:crypto';
import { DomainName } from '../../../../domain/shared/domain-name';
import type { Registration } from '../simulated/registration';
import { nameAndAncestors, isDelegated, tldRecords, tldSoa, type HostAddresses, type TldZone } from './tld-zone';

/** What the zones are made of. */
interface TldZoneSource {
  readonly suffixes: readonly string[];
  /** The registrations of all registrars at the registry's present time. */
  registrations(): AsyncIterable<readonly Registration[]>;
  /** The addresses of host objects; hosts that have none are left out. */
  addressesOf(hosts: readonly string[]): Promise<HostAddresses>;
}

interface Version {
  readonly digest: string;
  readonly serial: number;
}

/** Serials count tenths of a second since then, so they rise over restarts too and wrap after 13 years. */
const SERIALS_SINCE = Date.UTC(2026, 0, 1);
const SERIAL_MS = 100;
const SERIALS = 2 ** 32;
/** Building the zones takes at most one part in so many of the time. */
const IDLE_TIMES = 10;

/**
 * The zones of the registry's TLDs, read from its store again when they are older than a tenth of a second: another process may
 * have changed the store or advanced the clock.
 */
export class TldZones {
  private zones: ReadonlyMap<string, TldZone> = new Map();
  private versions: ReadonlyMap<string, Version> = new Map();
  private freshUntil = -Infinity;
  private reading: Promise<void> | undefined;

  /** @param address of the nameserver of all zones, `nic.TLD` */
  constructor(
    private readonly source: TldZoneSource,
    private readonly address: string,
  ) {}

  /** The zone with the most labels that contains the name. */
  async zoneFor(name: string): Promise<TldZone | undefined> {
    const zones = await this.current();
    const suffix = nameAndAncestors(name).find((ancestor) => zones.has(ancestor));
    return suffix === undefined ? undefined : zones.get(suffix);
  }

  async current(): Promise<ReadonlyMap<string, TldZone>> {
    if (performance.now() >= this.freshUntil) {
      this.reading ??= this.read().finally(() => (this.reading = undefined));
      await this.reading;
    }
    return this.zones;
  }

  private async read(): Promise<void> {
    const startedAt = performance.now();
    const bySuffix = new Map<string, Registration[]>(this.source.suffixes.map((suffix) => [suffix, []]));
    for await (const page of this.source.registrations())
      for (const registration of page)
        if (isDelegated(registration)) bySuffix.get(DomainName.fromState(registration.name).parent)?.push(registration);
    const delegated = [...bySuffix.values()].flat();
    const hosts = await this.source.addressesOf([...new Set(delegated.flatMap(({ nameservers }) => nameservers))]);
    const versions = new Map<string, Version>();
    const zones = new Map<string, TldZone>();
    const serial = Math.floor((Date.now() - SERIALS_SINCE) / SERIAL_MS) % SERIALS;
    for (const [name, registrations] of bySuffix) {
      const children = this.source.suffixes.filter((suffix) => DomainName.fromState(suffix).parent === name);
      const records = tldRecords(name, registrations, { hosts, children, address: this.address });
      const digest = createHash('sha256')
        .update(JSON.stringify([...records]))
        .digest('base64');
      const known = this.versions.get(name);
      const version = known?.digest === digest ? known : { digest, serial };
      versions.set(name, version);
      zones.set(name, { name, soa: tldSoa(name, version.serial), records });
    }
    this.versions = versions;
    this.zones = zones;
    const now = performance.now();
    this.freshUntil = now + Math.max(SERIAL_MS, (now - startedAt) * IDLE_TIMES);
  }
}
