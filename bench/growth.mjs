// What domains cost in MariaDB: bytes of each table for domains with a zone and five records, and how long the statements take that
// look for due work. Sizes do not depend on the load of the machine. BENCH_DOMAINS sets the number.
import { createConnection } from 'mysql2/promise';
import { databaseKinds } from './support/databases.mjs';
import { withWorkspace } from './support/processes.mjs';
import { printLine } from './support/results.mjs';
import { openAccount } from './support/service.mjs';
import { insertDomains, insertZones } from './support/test-data.mjs';

const DOMAINS = Number(process.env.BENCH_DOMAINS ?? 100_000);
const RECORDS_EACH = 5;
const MILLION = 1_000_000;
const BYTES_PER_MIB = 1_048_576;

export function run() {
  return withWorkspace(async (workspace) => {
    const [, mysql] = await databaseKinds(workspace);
    if (!mysql) return [];
    const databaseUrl = await mysql.createDatabase();
    const { accountId } = openAccount(databaseUrl);
    const connection = await createConnection(databaseUrl);
    const empty = await sizes(connection);
    await insertDomains(databaseUrl, accountId, DOMAINS);
    await insertZones(databaseUrl);
    for (let index = 0; index < RECORDS_EACH; index += 1) await connection.query(INSERT_RECORD, [index, index, index]);
    const filled = await sizes(connection);
    const grown = [...filled].map(([table, bytes]) => [table, bytes - (empty.get(table) ?? 0)]);
    for (const [table, bytes] of grown.filter((each) => each[1] > 0).toSorted((one, other) => other[1] - one[1]))
      printLine(`${table}: ${(bytes / DOMAINS).toFixed(0)} bytes a domain`);
    const total = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
    printLine(
      `${DOMAINS} domains with ${RECORDS_EACH} records each: ${(total / BYTES_PER_MIB).toFixed(0)} MiB, ${((total / DOMAINS) * (MILLION / BYTES_PER_MIB)).toFixed(0)} MiB for ${MILLION} domains`,
    );
    for (const sql of DUE) {
      const [[plan]] = /** @type {any} */ (await connection.query(`EXPLAIN ${sql}`));
      printLine(`${sql}: ${plan.type} by ${plan.key}, ${plan.rows} rows`);
    }
    await connection.end();
    return [];
  });
}

async function sizes(connection) {
  const [tables] = await connection.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  for (const { name } of tables) await connection.query(`ANALYZE TABLE ${name}`);
  const [rows] = await connection.query(
    'SELECT table_name AS name, data_length + index_length AS bytes FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

const INSERT_RECORD = `INSERT INTO dns_records (id, domain_id, name, type, content, ttl, identity_digest, created_at, updated_at)
  SELECT CONCAT('rec', ?, SUBSTR(id, 5)), id, CONCAT('host-', ?), 'A', '192.0.2.1', 3600, SHA2(CONCAT(id, ?), 256), 0, 0 FROM domains`;
/** As the service looks for due work, and for the page of a list. */
const DUE = [
  "SELECT id, name FROM domains WHERE status = 'active' AND due_at <= 1 ORDER BY due_at LIMIT 200",
  'SELECT id FROM operations WHERE due_at <= 1 ORDER BY due_at LIMIT 20',
  "SELECT domains.id, domain_health.checked_at FROM domains LEFT JOIN domain_health ON domain_health.domain_id = domains.id WHERE domains.id > 'dom_1' AND domains.status NOT IN ('gone', 'transferred_out') ORDER BY domains.id LIMIT 200",
];
