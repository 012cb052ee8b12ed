import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { SqlAuditReader } from '../../src/infrastructure/persistence/access/typeorm-audit-log';
import { SqlDomainReader } from '../../src/infrastructure/persistence/registration/typeorm-domain-repository';
import { SqlDomainQueries } from '../../src/infrastructure/persistence/registration/sql-domain-queries';
import { SeededRandom } from '../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../support/databases/mariadb';
import type { Campaign, CampaignResult } from './campaign';

/** Measures list pages at random depths, and the queries of the overview, in an account with very many domains on MariaDB. */
export const listsCampaign: Campaign = { name: 'lists', unit: 'domains', ciSize: 20_000, fullSize: 1_000_000, run };

const READS = 200;
const PAGE = 100;
const PAGE_MS = 100;
const OVERVIEW_MS = 200;
const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 2_000;
const ACCOUNT = 'acc_1';

async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const mysql = await startPrivateMysql();
  try {
    const database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await database.open();
    await fill(database, size);
    const results = await measure(database, size, new SeededRandom(seed));
    await database.close();
    return {
      summary: `${size} domains and as many entries of activity, p99 of ${READS}: ${results.map(({ title, p99 }) => `${title} ${p99.toFixed(1)} ms`).join(', ')}`,
      failures: [],
      missed: results
        .filter(({ p99, limit }) => p99 > limit)
        .map(({ title, p99, limit }) => `${title}: p99 is ${p99.toFixed(1)} ms, more than ${limit} ms`),
    };
  } finally {
    await mysql.stop();
  }
}

interface Measured {
  readonly title: string;
  readonly p99: number;
  readonly limit: number;
}

const created = (index: number) => ({ createdAt: new Date(index), id: idOf(index) });
const sorted = (index: number) => ({ name: nameOf(index), expiresAt: new Date(index * 1_000), id: idOf(index) });

async function measure(database: Database, size: number, random: SeededRandom): Promise<readonly Measured[]> {
  const [domains, survey, audit] = [
    new SqlDomainReader(database),
    new SqlDomainQueries(database),
    new SqlAuditReader(database),
  ];
  const randomIndex = (): number => random.between(0, size - 1);
  const pages: Readonly<Record<string, () => Promise<unknown>>> = {
    domains: () => domains.page(ACCOUNT, {}, PAGE, created(randomIndex())),
    'domains of a status': () => domains.page(ACCOUNT, { status: 'expired' }, PAGE, created(randomIndex())),
    'domains by name': () => survey.page(ACCOUNT, { order: 'name', descending: false }, PAGE, sorted(randomIndex())),
    'domains by expiry, backwards': () =>
      survey.page(ACCOUNT, { order: 'expiry', descending: true, status: 'active' }, PAGE, sorted(randomIndex())),
    activity: () => audit.page(ACCOUNT, {}, PAGE, created(randomIndex())),
    'activity on a name': () => audit.page(ACCOUNT, { domainName: nameOf(randomIndex()) }, PAGE),
    'activity of a kind': () => audit.page(ACCOUNT, { action: 'domain.renewed' }, PAGE, created(randomIndex())),
  };
  const results: Measured[] = [];
  for (const [title, read] of Object.entries(pages)) results.push({ title, p99: await p99Of(read), limit: PAGE_MS });
  const overview = async (): Promise<void> => {
    await Promise.all([
      survey.countByStatus(ACCOUNT),
      survey.expiring(ACCOUNT, new Date(0), new Date(91 * DAY_MS), 7),
      survey.ending(ACCOUNT, new Date(30 * DAY_MS), 6),
      audit.page(ACCOUNT, { action: 'domain.refused', since: new Date(0) }, 5),
    ]);
  };
  return [...results, { title: 'overview, uncached', p99: await p99Of(overview), limit: OVERVIEW_MS }];
}

async function p99Of(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((one, other) => one - other)[Math.floor(READS * 0.99) - 1] ?? 0;
}

async function fill(database: Database, size: number): Promise<void> {
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
        nameOf(index),
        index % 10 === 0 ? 'expired' : 'active',
        index * 1_000,
        index % 4 === 0 ? 0 : 1,
        '["ns1.example.net","ns2.example.net"]',
        '{}',
        index,
      ]);
      await manager.query(
        `INSERT INTO domains (id, account_id, name, live_name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at) VALUES ${indexes.map(() => '(?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, 0)').join(', ')}`,
        domainValues,
      );
      const entryValues = indexes.flatMap((index) => [
        idOf(index),
        ACCOUNT,
        index,
        'service',
        index % 50 === 0 ? 'domain.renewed' : 'domain.registered',
        idOf(index),
        nameOf(index),
      ]);
      await manager.query(
        `INSERT INTO audit_log (id, account_id, happened_at, actor, action, domain_id, domain_name, facts_before, facts_after, retained_from) VALUES ${indexes.map(() => "(?, ?, ?, ?, ?, ?, ?, '{}', '{}', 0)").join(', ')}`,
        entryValues,
      );
    });
  }
}

function idOf(index: number): string {
  return `dom_${String(index).padStart(26, '0')}`;
}

/** Names in a different order than the indexes. */
function nameOf(index: number): string {
  return `n${String((index * 7_919) % 1_000_003).padStart(7, '0')}-${index}.com`;
}
