import { generateKeyPairSync } from 'node:crypto';
import { apexContent, dnsKeyOf } from '../../../src/application/dns/signing/signatures/apex-content';
import { planSignatures } from '../../../src/application/dns/signing/signatures/plan-signatures';
import type { TouchedNames } from '../../../src/application/ports/dns/zone-repository';
import { RrsetSigner } from '../../../src/application/dns/signing/signatures/rrset-signer';
import { chainType, rowId } from '../../../src/application/dns/signing/signatures/stored-rows';
import type {
  DerivedChange,
  DerivedRrset,
  SignedZoneState,
  SigningReader,
  StoredSigningKey,
} from '../../../src/application/ports/dns/signing-repository';
import { dsRecordOf } from '../../../src/domain/dns/delegation/ds-record';
import { canonicalKey, keysBelow } from '../../../src/domain/dns/dnssec/canonical-names';
import { chainOwner } from '../../../src/domain/dns/dnssec/denial-chain';
import { signData, type PrivateSigningKey } from '../../../src/domain/dns/dnssec/rrsig';
import { RR_TYPE } from '../../../src/domain/dns/dnssec/rr-types';
import type { NamedRrset } from '../../../src/domain/dns/dnssec/signed-content';
import { ECDSA_P256 } from '../../../src/domain/dns/dnssec/signing-records';
import type { Denial } from '../../../src/domain/dns/dnssec/zone-signing-state';
import { fullOwnerName } from '../../../src/domain/dns/records/record-name';

const SOA = {
  primaryName: undefined,
  contact: undefined,
  timers: { refresh: 3600, retry: 600, expire: 1_209_600, negative: 300 },
};

export interface ModelKey {
  readonly stored: StoredSigningKey;
  readonly opened: PrivateSigningKey;
}

export function aSigningKey(id = 'zk_1', at = new Date(0)): ModelKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // As JWK, Node 20 can wait for itself for ever: its export holds a lock that a garbage collection meanwhile takes for the generated pair.
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-64);
  const key = { algorithm: ECDSA_P256, publicKey: point.toString('base64') };
  const { keyTag } = dsRecordOf('', dnsKeyOf(key));
  return {
    stored: { id, ...key, keyTag, createdAt: at, retiredAt: null, sealedPrivateKey: '' },
    opened: { id, algorithm: ECDSA_P256, keyTag, privateKey },
  };
}

/** A signed zone in memory, whose RRsets tests change as they like. */
export class ModelZone implements SigningReader {
  /** By relative name and type. */
  readonly rrsets = new Map<string, Map<number, NamedRrset>>();
  readonly rows = new Map<string, DerivedRrset>();
  serial = 1;

  constructor(
    readonly zoneName: string,
    readonly denial: Denial,
    readonly keys: readonly ModelKey[],
    readonly now: Date,
    readonly cds: 'none' | 'keys' = 'keys',
  ) {}

  get state(): SignedZoneState {
    const { zoneName, denial, cds, serial } = this;
    const keys = this.keys.map(({ stored }) => stored);
    return { domainId: 'dom_1', zoneName, nameservers: [`ns1.${zoneName}`], serial, denial, cds, keys };
  }

  set(name: string, rrset: NamedRrset): void {
    const types = this.rrsets.get(name) ?? new Map<number, NamedRrset>();
    types.set(rrset.type, rrset);
    this.rrsets.set(name, types);
  }

  remove(name: string, type: number): void {
    const types = this.rrsets.get(name);
    types?.delete(type);
    if (types?.size === 0) this.rrsets.delete(name);
  }

  async sign(touched: TouchedNames | 'all'): Promise<readonly DerivedChange[]> {
    const zone = this.state;
    const signer = new RrsetSigner(
      this.zoneName,
      this.keys.map(({ opened }) => opened),
      this.now,
      { sign: async (key, data) => data.map((each) => signData(key, each)) },
    );
    const plan = await planSignatures({ zone, reader: this, signer, apex: apexContent(zone, SOA) }, touched);
    const changes = await plan.signAll();
    for (const { before } of changes) if (before) this.rows.delete(rowId(before.name, before.type));
    for (const { after } of changes) if (after) this.rows.set(rowId(after.name, after.type), after);
    return changes;
  }

  /** The RRsets of the published zone, SOA first. */
  *published(): Generator<{ readonly owner: string; readonly rrset: NamedRrset }> {
    const rows = [...this.rows.values()].toSorted(({ type }) => (type === RR_TYPE.SOA ? -1 : 0));
    for (const { name, type, ttl, rdata, signatures, chainKey } of rows) {
      const owner =
        type === RR_TYPE.NSEC3
          ? chainOwner(chainKey ?? '', this.zoneName, 'nsec3')
          : fullOwnerName(name, this.zoneName);
      if (rdata) yield { owner, rrset: { type, ttl, rdata } };
      yield { owner, rrset: { type: RR_TYPE.RRSIG, ttl, rdata: signatures } };
    }
    for (const [name, types] of this.rrsets)
      for (const rrset of types.values()) yield { owner: fullOwnerName(name, this.zoneName), rrset };
  }

  /** A zone file in the form for unknown types: RFC 3597, section 5. */
  zoneFile(): string {
    const lines: string[] = [];
    for (const { owner, rrset } of this.published())
      for (const data of rrset.rdata)
        lines.push(`${owner}. ${rrset.ttl} IN TYPE${rrset.type} \\# ${data.length} ${data.toString('hex')}`);
    return `${lines.join('\n')}\n`;
  }

  async find(): Promise<SignedZoneState> {
    return this.state;
  }

  async findAny(): Promise<SignedZoneState> {
    return this.state;
  }

  async rrsetsAt(
    _zone: SignedZoneState,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly NamedRrset[]>> {
    return new Map(
      names.flatMap((name) => {
        const types = this.rrsets.get(name);
        return types ? [[name, [...types.values()]] as const] : [];
      }),
    );
  }

  async readNames(_domainId: string, below?: string): Promise<readonly string[]> {
    return [...this.rrsets.keys()].filter((name) => below === undefined || name.endsWith(`.${below}`));
  }

  async derivedAt(_domainId: string, names: readonly string[]): Promise<readonly DerivedRrset[]> {
    const wanted = new Set(names);
    return [...this.rows.values()].filter(({ name, type }) => wanted.has(name) || type === RR_TYPE.SOA);
  }

  async derived(): Promise<readonly DerivedRrset[]> {
    return [...this.rows.values()];
  }

  async linksBefore(zone: SignedZoneState, keys: readonly string[]): Promise<readonly (DerivedRrset | undefined)[]> {
    const links = [...this.rows.values()]
      .filter(({ type }) => type === chainType(zone))
      .toSorted((one, other) => ((one.chainKey ?? '') < (other.chainKey ?? '') ? -1 : 1));
    return keys.map((key) => links.findLast(({ chainKey }) => (chainKey ?? '') < key) ?? links.at(-1));
  }

  async linkedNamesBelow(_domainId: string, name: string, limit: number): Promise<readonly string[]> {
    const [from, to] = keysBelow(name);
    const names = [...this.rows.values()].filter(({ type }) => type === RR_TYPE.NSEC3).map((row) => row.name);
    return names.filter((each) => canonicalKey(each) > from && canonicalKey(each) < to).slice(0, limit);
  }

  async due(): Promise<readonly string[]> {
    return [];
  }

  async expiring(): Promise<readonly DerivedRrset[]> {
    return [];
  }
}
