// Test data for measurements: a few rows over the API, very many by SQL.
import Database from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';

const ID_DIGITS = 26;
const DAY_MS = 86_400_000;

/** The nameservers of domains from `insertDomains`. */
export const DELEGATION = ['ns1.example.net', 'ns2.example.net'];
const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};
const STORED_REGISTRANT = JSON.stringify({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
});

/** Registers `name`, waits until it is active, and returns its id. */
export async function registerDomain(call, name) {
  const { id } = await call('POST', '/domains', { name, contacts: { registrant: REGISTRANT } });
  while ((await call('GET', `/domains/${id}`)).status !== 'active')
    await new Promise((resolve) => setTimeout(resolve, 20));
  return id;
}

export async function addRecords(call, domainId, count) {
  for (let index = 0; index < count; index += 1)
    await call('POST', `/domains/${domainId}/dns/records`, { type: 'A', name: `h${index}`, content: '192.0.2.1' });
}

/**
 * Puts `count` active domains, a million at most, into an account of a migrated database that no process has open: a year
 * from their expiry, and eleven months from anything that is due. A search by part of a name does not find them.
 */
export async function insertDomains(databaseUrl, accountId, count) {
  const created = Date.now() - count;
  const expires = created + 365 * DAY_MS;
  const nameservers = JSON.stringify(DELEGATION);
  await execute(databaseUrl, INSERT_DOMAINS, [
    accountId,
    expires,
    nameservers,
    STORED_REGISTRANT,
    expires - 30 * DAY_MS,
    created,
    created,
    count,
  ]);
  await execute(databaseUrl, 'DELETE FROM domain_counts', []);
  await execute(databaseUrl, COUNT_DOMAINS, []);
}

/** Spreads the expiries of all domains over a year, tags a third of them, and gives each a price and a charge of the last year. */
export async function insertCosts(databaseUrl) {
  const now = Date.now();
  const serial = 'CAST(SUBSTR(id, -9) AS SIGNED)';
  const year = 365 * DAY_MS;
  await execute(
    databaseUrl,
    `UPDATE domains SET expires_at = ? + (${serial} * 7919 * 1000) % ?, auto_renew = ${serial} % 5 > 0,
     tags = CASE WHEN ${serial} % 3 = 0 THEN CONCAT('["team-', ${serial} % 12, '"]') ELSE NULL END`,
    [now, year],
  );
  await execute(
    databaseUrl,
    "INSERT INTO renewal_prices (domain_id, price_minor, currency, checked_at) SELECT id, 1044, 'USD', ? FROM domains",
    [now],
  );
  await execute(
    databaseUrl,
    `INSERT INTO operations (id, account_id, domain_id, request, status, attempts, transaction_id, next_attempt_at, created_at, updated_at,
       finished_at, retained_from, charged_minor, charged_currency)
     SELECT CONCAT('op_', id), account_id, id, '{"kind":"renew","years":1,"price":{"minor":1044,"currency":"USD"}}', 'succeeded', 1, id, 0, ?, ?, ?,
       ? - (${serial} * 7919 * 1000) % ?, 1044, 'USD' FROM domains`,
    [now, now, now, now, year],
  );
}

/** Makes these domains due at once. */
export async function makeDue(databaseUrl, ids) {
  await execute(databaseUrl, `UPDATE domains SET due_at = 1 WHERE id IN (${ids.map(() => '?').join(', ')})`, ids);
}

/** Creates an empty zone for every domain without one. */
export async function insertZones(databaseUrl) {
  const sql =
    'INSERT INTO zones (domain_id, version, record_count, changed_at) SELECT d.id, 1, 0, 0 FROM domains d WHERE NOT EXISTS (SELECT 1 FROM zones z WHERE z.domain_id = d.id)';
  await execute(databaseUrl, sql, []);
}

/** Has a search for `bench` find a tenth of the domains, and the tag `bench` a third. */
export async function insertSearchTerms(databaseUrl) {
  await execute(
    databaseUrl,
    "INSERT INTO domain_terms (account_id, term, name, domain_id) SELECT account_id, 'tag:bench', name, id FROM domains WHERE created_at % 3 = 0",
    [],
  );
  for (const gram of ['ben', 'enc', 'nch'])
    await execute(
      databaseUrl,
      'INSERT INTO domain_name_grams (account_id, gram, name) SELECT account_id, ?, name FROM domains WHERE created_at % 10 = 0',
      [gram],
    );
}

/** Inserts `count` A records, a million at most, into the zone of the first domain from `insertDomains`. */
export async function insertRecords(databaseUrl, count) {
  const domainId = insertedDomainId(0);
  await execute(databaseUrl, INSERT_RECORDS, [domainId, count]);
  await execute(databaseUrl, 'UPDATE zones SET record_count = ?, version = version + 1 WHERE domain_id = ?', [
    count,
    domainId,
  ]);
}

/** Copies an account and its key, `count` times: a command for each would take longer than what is measured. Returns the keys. */
export async function copyAccount(databaseUrl, { accountId, key }, count) {
  const keys = [];
  for (let index = 0; index < count; index += 1) {
    const [copy, keyId] = [`${accountId.slice(0, -3)}${padNumber(index, 3)}`, padNumber(index, 12)];
    await execute(
      databaseUrl,
      'INSERT INTO accounts (id, name, created_at) SELECT ?, name, created_at FROM accounts WHERE id = ?',
      [copy, accountId],
    );
    await execute(
      databaseUrl,
      'INSERT INTO api_keys (key_id, account_id, name, scope, secret_digest, created_at) SELECT ?, ?, name, scope, secret_digest, created_at FROM api_keys WHERE account_id = ?',
      [keyId, copy, accountId],
    );
    keys.push(key.replace(/_live_.{12}\./, `_live_${keyId}.`));
  }
  return keys;
}

/** Inserts `count` events with positions, in their order as the service does, the only ones of the account. Returns the name of its feed. */
export async function insertEvents(databaseUrl, accountId, count) {
  const feed = 'benchmarks';
  const data = JSON.stringify({ changed: ['auto_renew'], before: { auto_renew: true }, after: { auto_renew: false } });
  await execute(databaseUrl, 'DELETE FROM events', []);
  for (let start = 0; start < count; start += MILLION)
    await execute(databaseUrl, INSERT_EVENTS, [accountId, start, data, Math.min(MILLION, count - start)]);
  await execute(databaseUrl, 'INSERT INTO event_feeds (account_id, feed, position, removed_to) VALUES (?, ?, ?, 0)', [
    accountId,
    feed,
    count,
  ]);
  // MySQL would write their pages while reads are measured.
  if (!databaseUrl.startsWith('sqlite:')) await execute(databaseUrl, 'FLUSH TABLES events FOR EXPORT', []);
  return feed;
}

const MILLION = 1_000_000;
const DIGITS =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
/** A cross join of digits, which every database runs fast. */
const NUMBERS = `SELECT f.d * 100000 + e.d * 10000 + d.d * 1000 + c.d * 100 + b.d * 10 + a.d AS n
  FROM ${['f', 'e', 'd', 'c', 'b', 'a'].map((alias) => `${DIGITS} ${alias}`).join(' CROSS JOIN ')}`;
const INSERT_EVENTS = `INSERT INTO events (account_id, position, happened_at, actor, type, domain_id, domain_name, data, retained_from)
  SELECT ?, ? + n + 1, 1764000000000 + n, 'key:AbCdEf012345', 'domain.changed', CONCAT('dom_', n % 1000), CONCAT('d', n % 1000, '.com'), ?, 1764000000000 + n FROM (${NUMBERS}) AS numbers WHERE n < ? ORDER BY n`;
const padded = (width) => `SUBSTR(CONCAT('${'0'.repeat(width)}', n), -${width})`;
const INSERT_DOMAINS = `INSERT INTO domains (id, account_id, name, live_name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, due_at, created_at, updated_at)
  SELECT CONCAT('dom_', ${padded(ID_DIGITS)}), ?, CONCAT('bench-', ${padded(9)}, '.com'), CONCAT('bench-', ${padded(9)}, '.com'), 'active', ?, 1, 1, ?, ?, ?, ? + n, ? + n
  FROM (${NUMBERS}) numbers WHERE n < ? ORDER BY n`;
const COUNT_DOMAINS = `INSERT INTO domain_counts (account_id, status, expires_on, auto_renew, amount)
  SELECT account_id, status, expires_at - expires_at % ${DAY_MS}, auto_renew, COUNT(*) FROM domains WHERE status <> 'gone'
  GROUP BY account_id, status, expires_at - expires_at % ${DAY_MS}, auto_renew`;
const INSERT_RECORDS = `INSERT INTO dns_records (id, domain_id, name, type, content, ttl, identity_digest, created_at, updated_at)
  SELECT CONCAT('rec_', ${padded(ID_DIGITS)}), ?, CONCAT('host-', ${padded(9)}), 'A', '192.0.2.1', 3600, ${padded(64)}, n, n FROM (${NUMBERS}) numbers WHERE n < ?`;

async function execute(databaseUrl, sql, parameters) {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new Database(databaseUrl.slice('sqlite:'.length));
    database.prepare(sql).run(...parameters);
    database.close();
    return;
  }
  const connection = await createConnection(databaseUrl);
  await connection.query(sql, parameters);
  await connection.end();
}

/** The id of the domain that `insertDomains` inserted at `index`. */
export function insertedDomainId(index) {
  return `dom_${padNumber(index, ID_DIGITS)}`;
}

function padNumber(number, digits) {
  return String(number).padStart(digits, '0');
}
