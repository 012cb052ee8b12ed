import type { SeededRandom } from '../../crash/random';
import { powerDnsZoneId } from '../../../src/http/compat/powerdns/powerdns-zone-id';
import { sendTcp, signRequest } from '../../support/nameservers/primary-client';
import { encodeUpdate } from '../dns/update-messages';
import { send, type Client, type Response, type ZoneInstallation } from './zone-installation';

export interface HostedZone {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
}

export const PATHS = ['REST', 'batch', 'zone file', 'UPDATE', 'PowerDNS API'] as const;
export type Path = (typeof PATHS)[number];

interface SomeRecord {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'TXT' | 'MX' | 'PTR' | 'CAA' | 'SRV' | 'NS';
  readonly content: string;
  readonly ttl: number;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
}

const POWERDNS = '/compat/powerdns/api/v1/servers/localhost/zones';
const HOSTS = ['@', 'www', 'mail', 'a.b', '*', 'x.y.z', '_acme-challenge', 'n1', 'n2'] as const;
/** The zone is gone, it has the record or one that excludes it, or there is no reverse zone for a PTR record. */
const EXPECTED_REFUSALS = [404, 409, 422];
const NO_REVERSE_ZONE = 'ptr needs the reverse zone';
const UPDATE_TYPES: readonly string[] = ['A', 'AAAA', 'TXT', 'MX'];

export function pathOf({ id }: HostedZone): string {
  return `/api/zones/${id}`;
}

export function isReverse(name: string): boolean {
  return name.endsWith('.arpa');
}

/** Writes some records. Returns what went wrong, or whether they were written. */
export async function fill(
  installation: ZoneInstallation,
  zone: HostedZone,
  path: Path,
  random: SeededRandom,
): Promise<boolean | string> {
  const records = Array.from({ length: random.between(1, 4) }, () => randomRecord(zone, random));
  const request = (method: string, below: string, body: object | string): Promise<Response> =>
    send(installation, zone.client, method, `${pathOf(zone)}/dns/${below}`, body);
  const writes: Readonly<Record<Path, () => Promise<Response>>> = {
    REST: () => {
      const [record] = records;
      const ptr =
        record?.type === 'A' && record.name !== '*' && !isReverse(zone.name) && random.between(0, 1) === 0
          ? { ptr: true }
          : {};
      return request('POST', 'records', { ...record, ...ptr });
    },
    batch: () => request('POST', 'records/batch', { create: records }),
    'zone file': () => request('PUT', 'zonefile?mode=add', records.map(zoneFileLine).join('')),
    UPDATE: () => update(installation, zone, records, random),
    'PowerDNS API': () =>
      send(installation, zone.client, 'PATCH', `${POWERDNS}/${powerDnsZoneId(zone.name)}`, {
        rrsets: records.slice(0, 1).map((record) => rrsetOf(record, zone.name)),
      }),
  };
  const { status, text } = await writes[path]();
  if (status < 300) return true;
  return EXPECTED_REFUSALS.includes(status) || text.includes(NO_REVERSE_ZONE)
    ? false
    : `${path} of ${zone.name} returned ${status}: ${text}`;
}

/** Creates a zone by the PowerDNS API, with a record. */
export async function createByPowerDns(
  installation: ZoneInstallation,
  client: Client,
  name: string,
): Promise<Response> {
  const rrset = { ...rrsetOf({ name: 'n1', type: 'TXT', content: 'created', ttl: 300 }, name) };
  return send(installation, client, 'POST', POWERDNS, {
    name: `${name}.`,
    kind: 'Native',
    nameservers: [],
    rrsets: [rrset],
  });
}

export async function remove(installation: ZoneInstallation, zone: HostedZone, byPowerDns: boolean): Promise<Response> {
  const path = byPowerDns ? `${POWERDNS}/${powerDnsZoneId(zone.name)}` : pathOf(zone);
  return send(installation, zone.client, 'DELETE', path);
}

function randomRecord({ name: zone }: HostedZone, random: SeededRandom): SomeRecord {
  const ttl = random.oneOf([60, 300, 3_600] as const);
  const number = random.between(1, 254);
  if (isReverse(zone) && random.between(0, 3) > 0)
    return { name: String(number % 10), type: 'PTR', content: `host-${number}.example.net`, ttl };
  const name = random.oneOf(HOSTS);
  const makes: readonly [() => SomeRecord, ...(() => SomeRecord)[]] = [
    () => ({ name, type: 'A', content: `10.0.${random.between(0, 3)}.${number}`, ttl }),
    () => ({ name, type: 'AAAA', content: `2001:db8::${number.toString(16)}`, ttl }),
    () => ({ name, type: 'TXT', content: `text-${number}`, ttl }),
    () => ({ name, type: 'MX', content: `mail-${number}.example.net`, priority: 10, ttl }),
    () => ({ name, type: 'CAA', content: '0 issue "ca.example.net"', ttl }),
    () => ({ name: '_sip._tcp', type: 'SRV', content: 'sip.example.net', priority: 5, weight: 7, port: number, ttl }),
    () => ({ name: 'elsewhere', type: 'NS', content: `ns-${number % 3}.example.net`, ttl }),
  ];
  return random.oneOf(makes)();
}

function zoneFileLine({ name, type, ttl, ...record }: SomeRecord): string {
  return `${name} ${ttl} IN ${type} ${rdataOf({ type, ...record })}\n`;
}

/** In zone files and the PowerDNS API. */
function rdataOf({ type, content, priority, weight, port }: Omit<SomeRecord, 'name' | 'ttl'>): string {
  if (type === 'TXT') return `"${content}"`;
  if (type === 'MX') return `${priority} ${content}.`;
  if (type === 'SRV') return `${priority} ${weight} ${port} ${content}.`;
  return type === 'PTR' || type === 'NS' ? `${content}.` : content;
}

function rrsetOf({ name, type, ttl, ...record }: SomeRecord, zone: string): object {
  const full = name === '@' ? zone : `${name}.${zone}`;
  const records = [{ content: rdataOf({ type, ...record }), disabled: false }];
  return { name: `${full}.`, type, ttl, changetype: 'REPLACE', records };
}

/** As HTTP: 200, or 409 for an RCODE that tells of the zone's contents or of its absence. */
async function update(
  { service }: ZoneInstallation,
  { name: zone, client }: HostedZone,
  records: readonly SomeRecord[],
  random: SeededRandom,
): Promise<Response> {
  const some = records.filter(({ type }) => UPDATE_TYPES.includes(type));
  const changes = some.map(({ name, type, content, ttl, priority }) => {
    const isDeleted = random.between(0, 4) === 0;
    const data = type === 'MX' ? `${priority} ${content}` : type === 'AAAA' ? '2001:db8::7' : content;
    return {
      kind: isDeleted ? ('delete set' as const) : ('add' as const),
      name,
      type,
      data: isDeleted ? '' : data,
      ttl,
    };
  });
  const message = encodeUpdate(random.between(1, 65_535), zone, { prerequisites: [], changes });
  const [response] = await sendTcp(service.dns, signRequest(message, client.tsig), () => true);
  const rcode = response ? response.readUInt8(3) & 15 : 15;
  const statuses: Readonly<Record<number, number>> = { 0: 200, 5: 409, 9: 404 };
  return { status: statuses[rcode] ?? 500, text: `RCODE ${rcode}` };
}
