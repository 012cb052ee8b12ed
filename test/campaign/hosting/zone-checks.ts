import type { Answer } from 'dns-packet';
import { runSql } from '../../support/databases/run-sql';
import { transferFrom } from '../../support/nameservers/nameserver';
import { pathOf, type HostedZone } from './zone-actions';
import { send, transfer, type TransferSource, type ZoneInstallation } from './zone-installation';

interface ApiRecord {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
  readonly priority?: number | null;
  readonly weight?: number | null;
  readonly port?: number | null;
  readonly managed_by: string | null;
}

interface ApiZone {
  readonly name: string;
  readonly status: string;
  readonly nameservers: readonly string[];
  readonly dnssec: { readonly state: string; readonly ds: readonly ApiDs[] };
}

interface ApiDs {
  readonly key_tag: number;
  readonly algorithm: number;
  readonly digest_type: number;
  readonly digest: string;
}

/** A zone as the API shows it. */
export interface ShownZone extends HostedZone {
  readonly shown: ApiZone;
  readonly records: readonly ApiRecord[];
}

/** What the service adds to the records, in zones and for signing. CDS is type 59, CDNSKEY 60. */
const ADDED_TYPES = /^(?:SOA|RRSIG|NSEC3?|NSEC3PARAM|DNSKEY|CDS|CDNSKEY|UNKNOWN_(?:51|59|60))$/;
const CATALOG = 'catalog.namewright.invalid';
const AT_ONCE = 8;
const MAX_SHOWN = 3;

export async function read(installation: ZoneInstallation, zone: HostedZone): Promise<ShownZone> {
  const [shown, records] = await Promise.all([
    readJson<ApiZone>(installation, zone, pathOf(zone)),
    readJson<readonly ApiRecord[]>(installation, zone, `${pathOf(zone)}/dns/records`),
  ]);
  return { ...zone, shown, records };
}

async function readJson<T>(
  installation: ZoneInstallation,
  { client }: Pick<HostedZone, 'client'>,
  path: string,
): Promise<T> {
  const { status, text } = await send(installation, client, 'GET', path);
  if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Compares the records of the API with those that a nameserver transfers. */
export async function transferDifferences(source: TransferSource, zone: ShownZone): Promise<readonly string[]> {
  const answers = await transfer(source, zone.name);
  if (!answers) return [`${source.name} does not serve ${zone.name}`];
  const apexNameservers = zone.records.filter(({ name, type }) => name === '@' && type === 'NS').map(contentOf);
  const expected = new Set([
    ...zone.shown.nameservers.map((host) => `${zone.name} NS ${host}`),
    ...apexNameservers.map((host) => `${zone.name} NS ${host}`),
    ...zone.records
      .filter(({ name, type }) => name !== '@' || type !== 'NS')
      .map((record) => {
        const owner = record.name === '@' ? zone.name : `${record.name}.${zone.name}`;
        return `${owner} ${ttlOf(record, zone.records)} ${record.type} ${contentOf(record)}`;
      }),
  ]);
  const found = new Set(
    answers.filter(({ type }) => !ADDED_TYPES.test(type)).map((answer) => lineOf(answer, zone.name)),
  );
  const at = `${source.name} at serial ${serialOf(answers)}`;
  return [
    ...[...expected].filter((line) => !found.has(line)).map((line) => `${at} lacks ${line}`),
    ...[...found].filter((line) => !expected.has(line)).map((line) => `${at} has ${line}`),
  ].slice(0, MAX_SHOWN);
}

function serialOf(answers: readonly Answer[]): number {
  return answers.find((answer) => answer.type === 'SOA')?.data.serial ?? 0;
}

/** The records of an RRset are served with the lowest TTL of them (RFC 2181, section 5.2). */
function ttlOf({ name, type }: ApiRecord, records: readonly ApiRecord[]): number {
  return Math.min(...records.filter((each) => each.name === name && each.type === type).map(({ ttl }) => ttl));
}

function contentOf({ type, content, priority, weight, port }: ApiRecord): string {
  if (type === 'AAAA') return compressed(content);
  if (type === 'DS') return content.toLowerCase();
  const parts = [priority, weight, port, content.replace(/\.$/, '')];
  return parts
    .filter((part) => (part ?? null) !== null)
    .join(' ')
    .replaceAll('"', '');
}

function lineOf(answer: Answer, zone: string): string {
  const name = answer.name.toLowerCase();
  const ttl = 'ttl' in answer ? answer.ttl : 0;
  return name === zone && answer.type === 'NS'
    ? `${name} NS ${dataOf(answer)}`
    : `${name} ${ttl} ${answer.type} ${dataOf(answer)}`;
}

function dataOf(answer: Answer): string {
  if (answer.type === 'AAAA') return compressed(answer.data);
  if (answer.type === 'TXT') return [answer.data].flat().map(String).join('');
  if (answer.type === 'MX') return `${answer.data.preference} ${answer.data.exchange}`;
  if (answer.type === 'SRV')
    return `${answer.data.priority} ${answer.data.weight} ${answer.data.port} ${answer.data.target}`;
  if (answer.type === 'CAA') return `${answer.data.flags} ${answer.data.tag} ${answer.data.value}`;
  if (answer.type === 'DS') {
    const { keyTag, algorithm, digestType, digest } = answer.data;
    return `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex')}`;
  }
  return 'data' in answer && typeof answer.data === 'string' ? answer.data : '';
}

function compressed(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Compares what each zone keeps for the zones below it with these. Signed zones have their DS records there. */
export function delegationDifferences(zones: readonly ShownZone[], signed: ReadonlySet<string>): readonly string[] {
  const byName = new Map(zones.map((zone) => [zone.name, zone]));
  const expected = new Set<string>();
  for (const zone of zones) {
    const above = aboveOf(zone, byName);
    if (!above) continue;
    const owner = zone.name.slice(0, -above.name.length - 1);
    for (const host of zone.shown.nameservers) expected.add(`${above.name}: ${owner} NS ${host} for ${zone.id}`);
    if (signed.has(zone.id))
      for (const ds of zone.shown.dnssec.ds.filter(({ digest_type: type }) => type === 2))
        expected.add(
          `${above.name}: ${owner} DS ${ds.key_tag} ${ds.algorithm} 2 ${ds.digest.toLowerCase()} for ${zone.id}`,
        );
  }
  const kept = new Set(
    zones.flatMap(({ name: above, records }) =>
      records
        .filter((each) => each.managed_by?.startsWith('zone_') && (each.type === 'NS' || each.type === 'DS'))
        .map((each) => `${above}: ${each.name} ${each.type} ${contentOf(each)} for ${each.managed_by}`),
    ),
  );
  return [
    ...[...expected].filter((line) => !kept.has(line)).map((line) => `not delegated: ${line}`),
    ...[...kept].filter((line) => !expected.has(line)).map((line) => `delegated in vain: ${line}`),
  ];
}

/** The closest zone of the same account above a zone. */
export function aboveOf<Z extends HostedZone>(
  { name, client }: HostedZone,
  zones: ReadonlyMap<string, Z>,
): Z | undefined {
  const labels = name.split('.');
  for (let at = 1; at < labels.length; at += 1) {
    const zone = zones.get(labels.slice(at).join('.'));
    if (zone && zone.client.accountId === client.accountId) return zone;
  }
  return undefined;
}

/** Compares the catalog, the lists of zones, those of domains, and the counts with the zones. */
export async function listDifferences(
  installation: ZoneInstallation,
  zones: readonly HostedZone[],
  domains: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const registered = [...domains.values()];
  const { endpoint, key } = installation.primary;
  const tsig = key && `${key.algorithm}:${key.name}:${key.secret.toString('base64')}`;
  const members = (await transferFrom(endpoint.port, CATALOG, tsig)).flatMap(
    (line) => /\sptr (\S+)\.$/.exec(line)?.[1] ?? [],
  );
  failures.push(...differences('the catalog', members, [...zones.map(({ name }) => name), ...registered]));
  for (const client of installation.clients) {
    const own = domains.get(client.accountId) ?? '';
    const hosted = zones.filter((zone) => zone.client.accountId === client.accountId).map(({ name }) => name);
    const names = async (path: string): Promise<readonly string[]> => namesOf(installation, client, path);
    failures.push(...differences('/api/zones', await names('/api/zones'), [...hosted, own]));
    failures.push(...differences('/api/domains', await names('/api/domains'), [own]));
  }
  return [...failures, ...(await countDifferences(installation.databaseUrl))];
}

async function namesOf(
  installation: ZoneInstallation,
  client: HostedZone['client'],
  path: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let url: string | undefined = `${path}?limit=500`; url !== undefined;) {
    const response: globalThis.Response = await fetch(new URL(url, installation.service.url), {
      headers: { Authorization: `Bearer ${client.apiKey}` },
    });
    names.push(...((await response.json()) as { name: string }[]).map(({ name }) => name));
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return names;
}

function differences(list: string, found: readonly string[], expected: readonly string[]): readonly string[] {
  const [has, wanted] = [new Set(found), new Set(expected)];
  return [
    ...(has.size < found.length ? [`${list} has a name twice`] : []),
    ...found.filter((name) => !wanted.has(name)).map((name) => `${list} has ${name}`),
    ...expected.filter((name) => !has.has(name)).map((name) => `${list} lacks ${name}`),
  ];
}

/** One statement, so one snapshot: the service goes on verifying zones. */
const COUNTED_AND_ROWS = `SELECT 'counted' AS part, account_id, status, SUM(amount) AS amount FROM domain_counts GROUP BY account_id, status HAVING SUM(amount) <> 0
  UNION ALL SELECT 'rows', account_id, status, COUNT(*) FROM domains WHERE status <> 'gone' GROUP BY account_id, status`;

interface Counted {
  readonly part: 'counted' | 'rows';
  readonly account_id: string;
  readonly status: string;
  readonly amount: number | string;
}

/** Of the counts that overviews read, with the rows that they count. */
async function countDifferences(databaseUrl: string): Promise<readonly string[]> {
  const all = await runSql<Counted>(databaseUrl, COUNTED_AND_ROWS);
  const of = (wanted: Counted['part']): readonly string[] =>
    all
      .filter(({ part }) => part === wanted)
      .map(({ account_id, status, amount }) => `${account_id} ${status} ${amount}`);
  return differences('domain_counts', of('counted'), of('rows'));
}

/** Runs `check` for all, some at a time, and returns what they found. */
export async function forAll<T, R>(
  items: readonly T[],
  check: (item: T) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const left = [...items];
  const found: R[] = [];
  const work = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) found.push(...(await check(item)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
