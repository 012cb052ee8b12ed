// cspell:words keytype
import type { SigningKey } from '../../../application/ports/dns/signing-repository';
import type { ZoneFacts } from '../../../application/ports/dns/zone-repository';
import { dsRecordOf } from '../../../domain/dns/ds-record';
import { ALGORITHMS } from '../../../domain/dns/records/types/security/dnssec';
import { serialOf } from '../../../domain/dns/zone-serial';
import { apexNsOf, isApexNs } from '../../../domain/dns/apex-ns';
import { DEFAULT_TTL, DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullOwnerName, ROOT } from '../../../domain/dns/records/record-name';
import type { StartOfAuthority } from '../../../domain/dns/start-of-authority';

/** A server as PowerDNS lists it. Clients read the version to choose between forms of requests. */
export const SERVER = {
  config_url: '/api/v1/servers/localhost/config{/config_setting}',
  daemon_type: 'authoritative',
  id: 'localhost',
  type: 'Server',
  url: '/api/v1/servers/localhost',
  version: '4.9.0',
  zones_url: '/api/v1/servers/localhost/zones{/zone}',
};

/** Without a charset, as PowerDNS sends it: some clients compare the whole value. */
export const JSON_CONTENT = { 'Content-Type': 'application/json' };

/** Of ECDSA P-256, with which all zones are signed. */
const KEY_BITS = 256;

export interface PowerDnsRrset {
  readonly comments: readonly never[];
  readonly name: string;
  readonly records: readonly { readonly content: string; readonly disabled: false }[];
  readonly ttl: number;
  readonly type: string;
}

/** A zone in a list. Members are in PowerDNS's order, because shell scripts match them as text. */
export function listedZone(zoneName: string, { serial, isSigned }: ZoneFacts): object {
  const id = `${zoneName}.`;
  const soaSerial = serialOf(serial);
  return {
    account: '',
    catalog: '',
    dnssec: isSigned,
    edited_serial: soaSerial,
    id,
    kind: 'Master',
    last_check: 0,
    masters: [],
    name: id,
    notified_serial: soaSerial,
    serial: soaSerial,
    url: `/api/v1/servers/localhost/zones/${id}`,
  };
}

export function zone(zoneName: string, facts: ZoneFacts, rrsets: readonly PowerDnsRrset[] | undefined): object {
  return {
    ...listedZone(zoneName, facts),
    api_rectify: false,
    master_tsig_key_ids: [],
    nsec3narrow: false,
    nsec3param: '',
    rrsets,
    slave_tsig_key_ids: [],
    soa_edit: '',
    soa_edit_api: '',
  };
}

interface ListedSet {
  readonly name: string;
  readonly type: string;
  ttl: number;
  readonly contents: Set<string>;
}

/** The RRsets of a zone as nameservers serve it: with its SOA, and with the delegation in the NS set of the apex. */
export class RrsetList {
  private readonly sets = new Map<string, ListedSet>();
  private readonly apexNs: DnsRecordState[] = [];

  constructor(
    private readonly zoneName: string,
    private readonly soa: StartOfAuthority,
    private readonly nameservers: readonly string[],
  ) {}

  add(record: DnsRecordState): void {
    if (isApexNs(record)) this.apexNs.push(record);
    else this.addContent(record.name, record.type, record.ttl, DnsRecord.fromState(record).writtenRdata());
  }

  /** Those of a name and a type, in relative form, if given. */
  rrsets(only: { readonly name?: string | undefined; readonly type?: string | undefined } = {}): PowerDnsRrset[] {
    return [...this.apexSets(), ...this.sets.values()]
      .filter(({ name, type }) => (only.name ?? name) === name && (only.type ?? type) === type)
      .map(({ name, type, ttl, contents }) => ({
        comments: [],
        name: `${fullOwnerName(name, this.zoneName)}.`,
        records: [...contents].map((content) => ({ content, disabled: false })),
        ttl,
        type,
      }));
  }

  private apexSets(): readonly ListedSet[] {
    const { ttl, hosts } = apexNsOf({ nameservers: this.nameservers }, this.apexNs);
    const written = new Map(this.apexNs.map((each) => [each.content, DnsRecord.fromState(each).writtenRdata()]));
    const soa = { name: ROOT, type: 'SOA', ttl: DEFAULT_TTL, contents: new Set([soaContent(this.soa)]) };
    const ns = { name: ROOT, type: 'NS', ttl, contents: new Set(hosts.map((host) => written.get(host) ?? `${host}.`)) };
    return hosts.length === 0 ? [soa] : [soa, ns];
  }

  /** RFC 2181, section 5.2: one TTL for all; the lowest is served. */
  private addContent(name: string, type: string, ttl: number, content: string): void {
    const key = `${name} ${type}`;
    const set = this.sets.get(key) ?? { name, type, ttl, contents: new Set() };
    set.ttl = Math.min(set.ttl, ttl);
    set.contents.add(content);
    this.sets.set(key, set);
  }
}

/** A key of a signed zone, without its private part. @param index from 0, oldest first */
export function cryptoKey(zoneName: string, key: SigningKey, index: number): object {
  const { algorithm, publicKey, retiredAt } = key;
  const flags = 257;
  const ds = ([2, 4] as const).map((digestType) => {
    const { keyTag, digest } = dsRecordOf(zoneName, { flags, algorithm, publicKey }, digestType);
    return `${keyTag} ${algorithm} ${digestType} ${digest.toLowerCase()}`;
  });
  return {
    active: retiredAt === null,
    algorithm: Object.entries(ALGORITHMS).find(([, number]) => number === algorithm)?.[0] ?? String(algorithm),
    bits: KEY_BITS,
    dnskey: `${flags} 3 ${algorithm} ${publicKey}`,
    ds,
    flags,
    id: index + 1,
    keytype: 'csk',
    published: true,
    type: 'Cryptokey',
  };
}

/** RFC 1035, section 3.3.13. */
export function soaContent(soa: StartOfAuthority): string {
  const { primaryName, contact, serial, refresh, retry, expire, negative } = soa;
  return `${primaryName}. ${contact}. ${serial} ${refresh} ${retry} ${expire} ${negative}`;
}
