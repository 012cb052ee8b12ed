import type { Database } from '../../../src/infrastructure/persistence/database/database';
import { gramsOf } from '../../../src/infrastructure/persistence/registration/domains/pages/domain-name-search';

export const ACCOUNT = 'acc_1';
const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 2_000;
const GRAMS_PER_STATEMENT = 5_000;
const FIRST_CHARACTERS = Array.from('0123456789-.ncom').filter((each, index, all) => all.indexOf(each) === index);

/** Fills an empty database with one account of so many domains, and as many entries of activity. */
export async function fillAccount(database: Database, size: number): Promise<void> {
  await database.transaction((manager) =>
    manager.query('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, 0)', [ACCOUNT, 'Lists']),
  );
  for (let from = 0; from < size; from += ROWS_PER_STATEMENT) {
    const indexes = Array.from({ length: Math.min(ROWS_PER_STATEMENT, size - from) }, (_, offset) => from + offset);
    await database.transaction(async (manager) => {
      const domainValues = indexes.flatMap((index) => [
        idOf(index),
        ACCOUNT,
        nameOf(index),
        statusOf(index) === 'unverified' ? null : nameOf(index),
        statusOf(index),
        expiryOf(index),
        index % 4 === 0 ? 0 : 1,
        '["ns1.example.net","ns2.example.net"]',
        '{}',
        index,
      ]);
      await manager.query(
        `INSERT INTO domains (id, account_id, name, live_name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at) VALUES ${indexes.map(() => '(?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, 0)').join(', ')}`,
        domainValues,
      );
      await manager.query(
        `INSERT INTO zones (domain_id, version, record_count, changed_at) VALUES ${indexes.map(() => '(?, 1, 0, 0)').join(', ')}`,
        indexes.map(idOf),
      );
      const asked = indexes.filter((index) => statusOf(index) === 'hosted');
      await manager.query(
        `INSERT INTO zone_delegations (domain_id, account_id, state, nameservers, asked_at) VALUES ${asked.map(() => `(?, ?, ?, '["ns1.example.net"]', 0)`).join(', ')}`,
        asked.flatMap((index) => [idOf(index), ACCOUNT, delegationOf(index)]),
      );
      const entryValues = indexes.flatMap((index) => [
        idOf(index),
        ACCOUNT,
        index,
        'service',
        ...actionOf(index),
        idOf(index),
        nameOf(index),
      ]);
      await manager.query(
        `INSERT INTO audit_log (id, account_id, happened_at, actor, action, record_type, facts_after, domain_id, domain_name, facts_before, retained_from) VALUES ${indexes.map(() => "(?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', 0)").join(', ')}`,
        entryValues,
      );
    });
  }
  await fillGrams(database, size);
  await fillTerms(database);
  await database.transaction((manager) =>
    manager.query(
      `INSERT INTO domain_counts (account_id, status, expires_on, auto_renew, amount) SELECT account_id, status, expires_at - expires_at % ${DAY_MS}, auto_renew, COUNT(*) FROM domains GROUP BY account_id, status, expires_at - expires_at % ${DAY_MS}, auto_renew`,
    ),
  );
}

/** Action, record type and records of an entry: few mail servers, and as many changes of several types. */
function actionOf(index: number): readonly [action: string, recordType: string, facts: string] {
  if (index % 1_000 === 3) return ['records.added', 'MX', '{"records":["@ 3600 MX 10 mx1.example.net."]}'];
  if (index % 1_000 === 4)
    return ['records.added', '*', '{"records":["@ 3600 A 192.0.2.1","@ 3600 AAAA 2001:db8::1"]}'];
  return [index % 50 === 0 ? 'domain.renewed' : 'domain.registered', '', '{}'];
}

/** Parts of the account that a statement can copy within its time limit. */
const STARTS_OF_NAMES = Array.from({ length: 100 }, (_, index) => `n${String(index).padStart(2, '0')}`);

/** One tag in a hundred domains and one in a third, besides the terms that every domain has. */
async function fillTerms(database: Database): Promise<void> {
  for (const [term, condition] of [
    ['tld:com', "status NOT IN ('hosted', 'unverified')"],
    ['below:com', "status IN ('hosted', 'unverified')"],
    ['ns:ns1.example.net', '1 = 1'],
    ['renew:off', 'auto_renew = 0'],
    ['tag:rare', 'created_at % 100 = 7'],
    ['tag:common', 'created_at % 3 = 0'],
  ] as const)
    for (const start of STARTS_OF_NAMES)
      await database.transaction((manager) =>
        manager.query(
          `INSERT INTO domain_terms (account_id, term, name, domain_id) SELECT account_id, ?, name, id FROM domains WHERE account_id = ? AND name LIKE ? AND ${condition} ORDER BY name`,
          [term, ACCOUNT, `${start}%`],
        ),
      );
}

/** In the order of the table, which is much faster than name by name; the first characters one after the other, to fit in memory. */
async function fillGrams(database: Database, size: number): Promise<void> {
  for (const first of FIRST_CHARACTERS) {
    const rows: string[] = [];
    for (let index = 0; index < size; index += 1) {
      const name = nameOf(index);
      for (const gram of gramsOf(name)) if (gram.startsWith(first)) rows.push(`${gram} ${name}`);
    }
    rows.sort();
    for (let from = 0; from < rows.length; from += GRAMS_PER_STATEMENT) {
      const some = rows.slice(from, from + GRAMS_PER_STATEMENT).map((row) => row.split(' '));
      await database.transaction((manager) =>
        manager.query(
          `INSERT INTO domain_name_grams (account_id, gram, name) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}`,
          some.flatMap(([gram, name]) => [ACCOUNT, gram, name]),
        ),
      );
    }
  }
}

export function idOf(index: number): string {
  return `dom_${String(index).padStart(26, '0')}`;
}

/** In no order that has to do with the index. */
export function nameOf(index: number): string {
  return `n${String((index * 7_919) % 1_000_003).padStart(7, '0')}-${index}.com`;
}

/** Over a year, if there are a million. */
export function expiryOf(index: number): number {
  return index * 31_536;
}

/** One in ten is expired, and one in ten has no registration here; independent of the name and the order. Few are not verified. */
function statusOf(index: number): string {
  const random = Math.floor((index * 2_654_435_761) / 65_536);
  if (random % 10 === 1) return random % 1_000 === 1 ? 'unverified' : 'hosted';
  return random % 10 === 0 ? 'expired' : 'active';
}

/** Of those without a registration, few are not delegated, and one in ten is elsewhere. */
function delegationOf(index: number): string {
  if (index % 500 === 1) return 'none';
  return index % 10 === 2 ? 'elsewhere' : 'ours';
}
