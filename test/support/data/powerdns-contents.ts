import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A content that was written to a PowerDNS server by its API: test/fixtures/powerdns/README.md. */
export interface PowerDnsContent {
  readonly type: string;
  readonly content: string;
  readonly read: string | null;
  readonly served?: string;
  readonly refusedHere?: string;
}

const FILE = join(__dirname, '../../fixtures/powerdns/contents.json');

export const POWERDNS_CONTENTS = (
  JSON.parse(readFileSync(FILE, 'utf8')) as { readonly contents: readonly PowerDnsContent[] }
).contents;

const LABELS: Readonly<Record<string, string>> = { SRV: '_s._tcp.', TLSA: '_443._tcp.' };
const AT_APEX = ['DNSKEY', 'CDS', 'CDNSKEY'];

/** The RRsets of a PATCH that writes the content at a name without others, the set of the content last. */
export function setsOf({ type, content }: PowerDnsContent, index: number, zoneName: string) {
  const name = AT_APEX.includes(type) ? `${zoneName}.` : `${LABELS[type] ?? ''}n${index}.${zoneName}.`;
  const set = rrset(name, type, content);
  return type === 'DS' ? ([rrset(name, 'NS', 'ns1.example.net.'), set] as const) : ([set] as const);
}

function rrset(name: string, type: string, content: string) {
  return { name, type, ttl: 300, changetype: 'REPLACE', records: [{ content, disabled: false }] };
}
