import type { CdsContent } from '../../../../../src/domain/dns/dnssec/signing-step';
import { chainType } from '../../../../../src/application/dns/signing/signatures/stored-rows';
import type {
  NewSigningKey,
  AnyZoneState,
  DerivedChange,
  DerivedRrset,
  SignedZoneState,
  SigningRepository,
  StoredSigningKey,
} from '../../../../../src/application/ports/dns/signing-repository';
import { canonicalKey, keysBelow } from '../../../../../src/domain/dns/dnssec/canonical-names';
import { RR_TYPE } from '../../../../../src/domain/dns/dnssec/rr-types';
import type { NamedRrset } from '../../../../../src/domain/dns/dnssec/signed-content';
import type { Denial } from '../../../../../src/domain/dns/dnssec/zone-signing-state';
import { withDiscovery } from '../../../../../src/domain/dns/discovery';
import { publishedRrsets } from '../../../../../src/domain/dns/records/published-rrsets';
import type { Tables } from '../tables';

export interface StoredSigning {
  readonly denial: Denial | null;
  readonly cds: CdsContent;
  readonly keys: readonly StoredSigningKey[];
  /** By name and type. */
  readonly derived: ReadonlyMap<string, DerivedRrset>;
}

const UNSIGNED: StoredSigning = { denial: null, cds: 'none', keys: [], derived: new Map() };

function isDue(now: Date) {
  return ({ refreshAt }: DerivedRrset): boolean => refreshAt <= now;
}

export class InMemorySigning implements SigningRepository {
  constructor(private readonly tables: () => Tables) {}

  async find(domainId: string): Promise<SignedZoneState | undefined> {
    const zone = await this.findAny(domainId);
    const { denial } = zone ?? {};
    return zone && denial ? { ...zone, denial } : undefined;
  }

  async findAny(domainId: string): Promise<AnyZoneState | undefined> {
    const { domains, zones } = this.tables();
    const [domain, zone] = [domains.get(domainId), zones.get(domainId)];
    const { denial, cds, keys } = this.at(domainId);
    if (!domain || !zone) return undefined;
    const { name: zoneName, nameservers } = domain;
    const { serial, discovery } = zone;
    return {
      domainId,
      zoneName,
      nameservers,
      ...(discovery !== undefined && { discovery }),
      serial,
      denial,
      cds,
      keys,
    };
  }

  async rrsetsAt(zone: SignedZoneState, names: readonly string[]): Promise<ReadonlyMap<string, readonly NamedRrset[]>> {
    const wanted = new Set(names);
    const records = this.tables().zones.get(zone.domainId)?.records ?? [];
    const published = publishedRrsets(
      zone,
      records.filter(({ name }) => wanted.has(name)),
    );
    return withDiscovery(zone, names, published);
  }

  async readNames(domainId: string, below?: string): Promise<readonly string[]> {
    const names = (this.tables().zones.get(domainId)?.records ?? []).map(({ name }) => name);
    return names.filter((name) => below === undefined || name.endsWith(`.${below}`));
  }

  async derivedAt(domainId: string, names: readonly string[]): Promise<readonly DerivedRrset[]> {
    const wanted = new Set(names);
    return (await this.derived(domainId)).filter(({ name, type }) => wanted.has(name) || type === RR_TYPE.SOA);
  }

  async derived(domainId: string): Promise<readonly DerivedRrset[]> {
    return [...this.at(domainId).derived.values()];
  }

  async linksBefore(zone: SignedZoneState, keys: readonly string[]): Promise<readonly (DerivedRrset | undefined)[]> {
    const links = (await this.derived(zone.domainId))
      .filter(({ type }) => type === chainType(zone))
      .toSorted((one, other) => ((one.chainKey ?? '') < (other.chainKey ?? '') ? -1 : 1));
    return keys.map((key) => links.findLast(({ chainKey }) => (chainKey ?? '') < key) ?? links.at(-1));
  }

  async linkedNamesBelow(domainId: string, name: string, limit: number): Promise<readonly string[]> {
    const [from, to] = keysBelow(name);
    const links = (await this.derived(domainId)).filter(({ type }) => type === RR_TYPE.NSEC3);
    const below = links.filter((link) => canonicalKey(link.name) > from && canonicalKey(link.name) < to);
    return below.map((link) => link.name).slice(0, limit);
  }

  async due(now: Date, limit: number, except: readonly string[] = []): Promise<readonly string[]> {
    const due = [...this.tables().signings].filter(
      ([domainId, { derived }]) => !except.includes(domainId) && [...derived.values()].some(isDue(now)),
    );
    return due.map(([domainId]) => domainId).slice(0, limit);
  }

  async expiring(domainId: string, before: Date, limit: number): Promise<readonly DerivedRrset[]> {
    const expiring = (await this.derived(domainId)).filter(isDue(before));
    return expiring.toSorted((one, other) => one.refreshAt.getTime() - other.refreshAt.getTime()).slice(0, limit);
  }

  async set(
    domainId: string,
    signing: { readonly denial: Denial; readonly cds: CdsContent } | undefined,
  ): Promise<void> {
    this.save(domainId, signing ?? { denial: null, cds: 'none' });
  }

  async addKey(domainId: string, key: NewSigningKey, at: Date): Promise<void> {
    const keys = [...this.at(domainId).keys, { ...key, createdAt: at, retiredAt: null }];
    this.save(domainId, { keys: keys.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime()) });
  }

  async retireKey(domainId: string, keyId: string, at: Date): Promise<void> {
    const { keys } = this.at(domainId);
    this.save(domainId, {
      keys: keys.map((key) => (key.id === keyId ? { ...key, retiredAt: key.retiredAt ?? at } : key)),
    });
  }

  async removeKey(domainId: string, keyId: string): Promise<void> {
    this.save(domainId, { keys: this.at(domainId).keys.filter(({ id }) => id !== keyId) });
  }

  async clear(domainId: string): Promise<void> {
    this.save(domainId, { derived: new Map() });
  }

  async write(domainId: string, _serial: number, changes: readonly DerivedChange[]): Promise<void> {
    const derived = new Map(this.at(domainId).derived);
    for (const { before } of changes) if (before) derived.delete(`${before.name} ${before.type}`);
    for (const { after } of changes) if (after) derived.set(`${after.name} ${after.type}`, after);
    this.save(domainId, { derived });
  }

  private at(domainId: string): StoredSigning {
    return this.tables().signings.get(domainId) ?? UNSIGNED;
  }

  private save(domainId: string, change: Partial<StoredSigning>): void {
    this.tables().signings.set(domainId, { ...this.at(domainId), ...change });
  }
}
