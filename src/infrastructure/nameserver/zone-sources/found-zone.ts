import type { Answer } from 'dns-packet';
import type { FoundZone } from '../../../application/ports/dns/zone-sources';
import { quoteCharacterString } from '../../../domain/dns/records/character-string';

/** Octets of the zone file. */
const MAX_ZONE_FILE = 8 * 1_048_576;
/** The signer or the nameserver writes them. */
const DERIVED: ReadonlySet<string> = new Set(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'TSIG', 'OPT']);
/** Other names would have to be escaped, and no record here can have them. */
const OWNER = /^[!#-'*-:<-Z_a-z{-~]+$/;

/** Collects records of nameservers as a zone file. */
export class FoundZoneWriter {
  private readonly lines = new Set<string>();
  private readonly skipped: Record<string, number> = {};
  private octets = 0;

  constructor(private readonly zoneName: string) {}

  /** Returns false once the zone is too large. */
  add(record: Answer): boolean {
    const name = record.name.toLowerCase();
    const isInZone = name === this.zoneName || name.endsWith(`.${this.zoneName}`);
    if (DERIVED.has(record.type) || !isInZone) return true;
    const data = OWNER.test(name) ? dataOf(record) : undefined;
    if (data === undefined) {
      this.skipped[record.type] = (this.skipped[record.type] ?? 0) + 1;
      return true;
    }
    const line = `${name}.\t${'ttl' in record ? (record.ttl ?? 0) : 0}\tIN\t${record.type}\t${data}\n`;
    if (!this.lines.has(line)) this.octets += line.length;
    this.lines.add(line);
    return this.octets <= MAX_ZONE_FILE;
  }

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  finish(): FoundZone {
    return { zoneFile: [...this.lines].join(''), skipped: this.skipped };
  }
}

/** RDATA in presentation format; undefined for other types. */
function dataOf(record: Answer): string | undefined {
  if (record.type === 'A' || record.type === 'AAAA') return record.data;
  if (record.type === 'CNAME' || record.type === 'NS') return hostOf(record.data);
  if (record.type === 'MX') return withHost(`${record.data.preference ?? 0}`, record.data.exchange);
  if (record.type === 'TXT') return [record.data].flat().map(quoted).join(' ');
  if (record.type === 'CAA')
    return `${record.data.flags ?? 0} ${record.data.tag} ${quoteCharacterString(record.data.value)}`;
  if (record.type !== 'SRV') return undefined;
  const { priority = 0, weight = 0, port, target } = record.data;
  return withHost(`${priority} ${weight} ${port}`, target);
}

function quoted(text: string | Buffer): string {
  return quoteCharacterString(typeof text === 'string' ? text : text.toString('latin1'));
}

function withHost(numbers: string, host: string): string | undefined {
  const written = hostOf(host);
  return written === undefined ? undefined : `${numbers} ${written}`;
}

/** `.` for the root: a null MX or SRV. */
function hostOf(host: string): string | undefined {
  const name = host.toLowerCase();
  if (name === '' || name === '.') return '.';
  return OWNER.test(name) ? `${name}.` : undefined;
}
