import Sqlite from 'better-sqlite3';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { transferFrom, type Nameserver } from '../../support/nameservers/nameserver';

type Row = Readonly<Record<string, string | number | null>>;
type Query = (sql: string) => Promise<readonly Row[]>;

export interface World {
  /** Of the service. */
  readonly databaseUrl: string;
  /** SQLite file of the sandbox registry. */
  readonly registryFile: string;
  readonly registrar: string;
  readonly nameserver: Nameserver;
  /** `hmac-sha256:NAME:SECRET`. */
  readonly transferKey: string;
}

/** What the registry and the nameserver have: names with their data, charges, and zones without SOA records. */
export interface Truth {
  readonly names: ReadonlyMap<string, string>;
  readonly charges: number;
  readonly zones: ReadonlyMap<string, string>;
}

const DAY_MS = 86_400_000;

/** Reads database files and asks the nameserver; uses no code of the service. */
export async function readTruth({ registryFile, registrar, nameserver, transferKey }: World): Promise<Truth> {
  const registry = new Sqlite(registryFile, { readonly: true });
  const rows = registry
    .prepare<[string], Row>('SELECT * FROM simreg_registrations WHERE sponsor = ? ORDER BY name')
    .all(registrar);
  const charges = registry.prepare('SELECT COUNT(*) FROM simreg_charges').pluck().get() as number;
  registry.close();
  const zones = new Map<string, string>();
  for (const { name } of rows)
    zones.set(
      String(name),
      await transferFrom(nameserver.plan.port, String(name), transferKey).then(
        (lines) => lines.filter((line) => !/ in soa /.test(line)).join('\n'),
        // Knot knows the zone from the catalog, and has not loaded it. It differs from any zone of the database.
        () => 'not served',
      ),
    );
  return { charges, zones, names: new Map(rows.map((row) => [String(row['name']), facts(row)])) };
}

/** The differences between the database of the service, the registry, the nameserver, and what they had before the restore. */
export async function differences(world: World, before: Truth): Promise<readonly string[]> {
  const now = await readTruth(world);
  const found: string[] = [];
  const differ = (what: string, one: unknown, other: unknown): void => {
    if (one !== other) found.push(`${what}: ${String(one)}, not ${String(other)}`);
  };
  differ('charges of the registry', now.charges, before.charges);
  await withQueries(world.databaseUrl, async (query) => {
    const unfinished = await query("SELECT id, status FROM operations WHERE status NOT IN ('succeeded', 'failed')");
    for (const { id, status } of unfinished) found.push(`operation ${id} is ${status}`);
    const domains = await query(
      'SELECT d.*, z.version + z.serial_offset AS serial FROM domains d JOIN zones z ON z.domain_id = d.id WHERE d.live_name IS NOT NULL',
    );
    const ours = new Map(domains.map((row) => [String(row['name']), row]));
    for (const name of new Set([...ours.keys(), ...now.names.keys(), ...before.names.keys()])) {
      const row = ours.get(name);
      differ(`${name} at the registry`, now.names.get(name), before.names.get(name));
      differ(`${name} in the database`, row && facts(row), now.names.get(name));
      if (!row) continue;
      differ(`status of ${name}`, row['status'], 'active');
      const serial = await world.nameserver.querySerial(name);
      differ(`serial of ${name} at the nameserver`, serial, Number(row['serial']) % 2 ** 32);
      differ(`zone ${name} at the nameserver`, now.zones.get(name), before.zones.get(name));
      const records = await query(`SELECT name, type, ttl, content FROM dns_records WHERE domain_id = '${row['id']}'`);
      differ(`records of ${name}`, recordLines(records, name), withoutApexNs(now.zones.get(name) ?? '', name));
    }
  });
  return found;
}

/** Expiry by day, lock and nameservers, alike for both databases. */
function facts(row: Row): string {
  const hosts = JSON.parse(String(row['nameservers'])) as string[];
  const day = Math.floor(Number(row['expires_at']) / DAY_MS);
  return `expires on day ${day}, lock ${row['transfer_locked']}, ${hosts.toSorted().join(' ')}`;
}

function recordLines(records: readonly Row[], zoneName: string): string {
  return records
    .map(({ name, type, ttl, content }) => {
      const owner = name === '@' ? `${zoneName}.` : `${name}.${zoneName}.`;
      const data = type === 'TXT' ? `"${content}"` : content;
      return `${owner} ${ttl} IN ${type} ${data}`.toLowerCase();
    })
    .toSorted()
    .join('\n');
}

function withoutApexNs(zone: string, zoneName: string): string {
  return zone
    .split('\n')
    .filter((line) => !new RegExp(`^${zoneName}\\. \\d+ in ns `).test(line))
    .toSorted()
    .join('\n');
}

async function withQueries(url: string, use: (query: Query) => Promise<void>): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new Sqlite(url.slice('sqlite:'.length), { readonly: true });
    await use(async (sql) => database.prepare<[], Row>(sql).all());
    database.close();
    return;
  }
  const connection = await createConnection(url);
  await use(async (sql) => (await connection.query<RowDataPacket[]>(sql))[0]);
  await connection.end();
}
