// cspell:words keytype
import type { SigningKey } from '../../../application/ports/dns/signing-repository';
import type { ZoneFacts } from '../../../application/ports/dns/zone-queries';
import { dsRecordOf } from '../../../domain/dns/delegation/ds-record';
import { ALGORITHMS } from '../../../domain/dns/records/types/security/dnssec';
import { serialOf } from '../../../domain/dns/zone-serial';
import { apexNsOf, isApexNs } from '../../../domain/dns/delegation/apex-ns';
import { DEFAULT_TTL, DnsRecord, type DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullOwnerName, ROOT } from '../../../domain/dns/records/record-name';
import type { StartOfAuthority } from '../../../domain/dns/start-of-authority';
import { commentsOf, type Commented, type PowerDnsComment } from './rrset-comments';
import { powerDnsZoneId } from './powerdns-zone-id';

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
  readonly comments: readonly PowerDnsComment[];
  readonly name: string;
  readonly records: readonly { readonly content: string; readonly disabled: false }[];
  readonly ttl: number;
  readonly type: string;
}

type ShownFacts = Pick<ZoneFacts, 'serial' | 'signing'>;

/** A zone in a list. Members are in PowerDNS's order, because shell scripts match them as text. */
export function listedZone(zoneName: string, { serial, signing }: ShownFacts): object {
  const id = powerDnsZoneId(zoneName);
  const soaSerial = serialOf(serial);
  return {
    account: '',
    catalog: '',
    dnssec: signing !== 'off',
    edited_serial: soaSerial,
    id,
    kind: 'Master',
    last_check: 0,
    masters: [],
    name: `${zoneName}.`,
    notified_serial: soaSerial,
    serial: soaSerial,
    url: `/api/v1/servers/localhost/zones/${id}`,
  };
}

export function zone(zoneName: string, facts: ShownFacts, rrsets: readonly PowerDnsRrset[] | undefined): object {
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
  /** Records by their content. */
  readonly contents: Map<string, Commented>;
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
    else this.addContent(record);
  }

  /** Those of a name and a type, in relative form, if given. */
  rrsets(only: { readonly name?: string | undefined; readonly type?: string | undefined } = {}): PowerDnsRrset[] {
    return [...this.apexSets(), ...this.sets.values()]
      .filter(({ name, type }) => (only.name ?? name) === name && (only.type ?? type) === type)
      .map(({ name, type, ttl, contents }) => ({
        comments: commentsOf([...contents.values()]),
        name: `${fullOwnerName(name, this.zoneName)}.`,
        records: [...contents.keys()].map((content) => ({ content, disabled: false })),
        ttl,
        type,
      }));
  }

  private apexSets(): readonly ListedSet[] {
    const { ttl, hosts } = apexNsOf({ nameservers: this.nameservers }, this.apexNs);
    const stored = new Map(this.apexNs.map((each) => [each.content, each]));
    const contents = new Map(
      hosts.map((host): [string, Commented] => {
        const record = stored.get(host);
        return [record ? DnsRecord.fromState(record).writtenRdata() : `${host}.`, record];
      }),
    );
    const soa = { name: ROOT, type: 'SOA', ttl: DEFAULT_TTL, contents: new Map([[soaContent(this.soa), undefined]]) };
    return hosts.length === 0 ? [soa] : [soa, { name: ROOT, type: 'NS', ttl, contents }];
  }

  /** RFC 2181, section 5.2: one TTL for all; the lowest is served. */
  private addContent(record: DnsRecordState): void {
    const { name, type, ttl } = record;
    const key = `${name} ${type}`;
    const set = this.sets.get(key) ?? { name, type, ttl, contents: new Map() };
    set.ttl = Math.min(set.ttl, ttl);
    set.contents.set(DnsRecord.fromState(record).writtenRdata(), record);
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
