import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DomainOrder, SortedList } from '../../../src/application/ports/registration/domain-repository';
import { DELEGATION_STATES, type DelegationState } from '../../../src/domain/dns/delegation/delegation';
import {
  HOSTED_STATUSES,
  VISIBLE_STATUSES,
  ZONE_STATUSES,
  type DomainStatus,
} from '../../../src/domain/registration/domain-status';
import { SqlRecordReader } from '../../../src/infrastructure/persistence/dns/sql-zone-reader';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SqlAuditReader } from '../../../src/infrastructure/persistence/access/sql-audit-log';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { SeededRandom } from '../../crash/random';
import { PRIVATE_MYSQL_MISSING, startPrivateMysql } from '../../support/databases/mariadb';
import { ACCOUNT, expiryOf, fillAccount, idOf, nameOf } from './lists-filling';
import type { Campaign, CampaignResult } from '../campaign';

/** Reads pages of all lists at random depths and searches, in an account of very many names, and what its overview counts. */
export const listsCampaign: Campaign = { name: 'lists', unit: 'domains', ciSize: 800, fullSize: 1_000_000, run };

const READS = 200;
const PAGE = 100;
const PAGE_MS = 100;
const OVERVIEW_MS = 200;
const DAY_MS = 86_400_000;

async function run(size: number, seed: number): Promise<CampaignResult> {
  if (PRIVATE_MYSQL_MISSING !== undefined) throw new Error(PRIVATE_MYSQL_MISSING);
  const folder = mkdtempSync(join(tmpdir(), 'namewright-lists-'));
  // Like a server that is made for so many domains: the account's rows are about 4 GB, of which lists read the indexes.
  const mysql = await startPrivateMysql(['--innodb-buffer-pool-size=2G']);
  try {
    const results = [
      ...(await measureOn('SQLite', { kind: 'sqlite', file: join(folder, 'lists.db') }, size, seed)),
      ...(await measureOn('MariaDB', { kind: 'mysql', url: await mysql.createDatabase() }, size, seed)),
    ];
    return {
      summary: `${size} domains and as many entries of activity, p50 and p99 of ${READS}: ${results.map(({ title, p50, p99, worst }) => `${title} ${p50.toFixed(1)} and ${p99.toFixed(1)} ms (worst ${worst.toFixed(0)})`).join(', ')}`,
      failures: [],
      missed: results
        .filter(({ p99, limit }) => p99 > limit)
        .map(({ title, p99, limit }) => `${title}: p99 is ${p99.toFixed(1)} ms, more than ${limit} ms`),
    };
  } finally {
    await mysql.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOn(
  title: string,
  location: DatabaseLocation,
  size: number,
  seed: number,
): Promise<readonly Measured[]> {
  const database = new Database(location, SERVICE_CONTENT);
  await database.open();
  try {
    await fillAccount(database, size);
    const results = await measure(database, size, new SeededRandom(seed));
    return results.map((each) => ({ ...each, title: `${title}: ${each.title}` }));
  } finally {
    await database.close();
  }
}

interface Measured {
  readonly title: string;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  readonly limit: number;
}

const created = (index: number) => ({ createdAt: new Date(index), id: idOf(index) });
const byName = (index: number) => ({ value: nameOf(index), id: idOf(index) });
const byExpiry = (index: number) => ({ value: expiryOf(index), id: idOf(index) });
const byRenewal = (index: number) => ({ value: index % 4 === 0 ? 0 : 1, id: idOf(index) });

const filteredBy = (order: DomainOrder, having: readonly string[], lacking: readonly string[] = []): SortedList => ({
  order,
  descending: false,
  terms: [...having.map((term) => ({ anyOf: [term] })), ...lacking.map((term) => ({ anyOf: [term], not: true }))],
});

const delegation = (state: DelegationState) => ({ delegation: { state, ours: ['ns1.example.net'] } });

async function measure(database: Database, size: number, random: SeededRandom): Promise<readonly Measured[]> {
  const [records, domains, survey, audit] = [
    new SqlRecordReader(database),
    new SqlDomainReader(database),
    new SqlDomainQueries(database),
    new SqlAuditReader(database),
  ];
  const anywhere = (): number => random.between(0, size - 1);
  const sometimes = <T>(position: (index: number) => T): T | undefined =>
    random.between(0, 1) === 0 ? undefined : position(anywhere());
  const someStatus = (): DomainStatus | undefined => random.oneOf([undefined, undefined, 'active', 'expired']);
  /** One to eight characters of a name, or in one of ten cases a part that no name has. */
  const somePart = (): string => {
    const name = nameOf(anywhere());
    const start = random.between(0, name.length - 1);
    const part = name.slice(start, start + random.between(1, 8));
    return random.between(0, 9) === 0 ? `${part}x` : part;
  };
  /** A part of names that were registered one after the other, and expire so. */
  const somePartTogether = (): string => `-${random.between(1, size > 100_000 ? 99 : 9)}`;
  const someSearch = (order: DomainOrder): SortedList => ({
    order,
    descending: random.oneOf([true, false]),
    nameContains: somePart(),
    status: someStatus(),
  });
  const zones = async (filter: Partial<SortedList>, after = sometimes(byName)): Promise<void> => {
    const list = { ...filter, of: 'zones', order: 'name', descending: false } as const;
    const { items } = await survey.page(ACCOUNT, list, PAGE, after);
    await records.facts(items.map(({ id }) => id));
  };
  const pages: Readonly<Record<string, () => Promise<unknown>>> = {
    zones: () => zones({}, byName(anywhere())),
    'zones without a registration': () => zones({ statuses: HOSTED_STATUSES }),
    'zones with one': () => zones({ statuses: VISIBLE_STATUSES }),
    'zones that are not verified': () => zones({ statuses: ['unverified'] }),
    'zones that are active': () => zones({ statuses: ZONE_STATUSES.filter((each) => each !== 'unverified') }),
    'zones with a rare tag': () => zones(filteredBy('name', ['tag:rare'])),
    'zones with a common tag, without a registration': () =>
      zones({ ...filteredBy('name', ['tag:common']), statuses: HOSTED_STATUSES }),
    'search for zones': () => zones({ nameContains: somePart() }),
    'search for zones without a registration': () => zones({ nameContains: somePart(), statuses: HOSTED_STATUSES }),
    ...Object.fromEntries(
      DELEGATION_STATES.map((state) => [`zones, delegated ${state}`, () => zones(delegation(state))]),
    ),
    domains: () => domains.page(ACCOUNT, {}, PAGE, created(anywhere())),
    'domains of a status': () => domains.page(ACCOUNT, { status: 'expired' }, PAGE, created(anywhere())),
    'domains by name': () => survey.page(ACCOUNT, { order: 'name', descending: false }, PAGE, byName(anywhere())),
    'domains by expiry, backwards': () =>
      survey.page(ACCOUNT, { order: 'expiry', descending: true, status: 'active' }, PAGE, byExpiry(anywhere())),
    'domains by automatic renewal': () =>
      survey.page(ACCOUNT, { order: 'auto_renewal', descending: false }, PAGE, byRenewal(anywhere())),
    'search, by creation': () =>
      domains.page(ACCOUNT, { nameContains: somePart(), status: someStatus() }, PAGE, sometimes(created)),
    'search, by name': () => survey.page(ACCOUNT, someSearch('name'), PAGE, sometimes(byName)),
    'search, by expiry': () => survey.page(ACCOUNT, someSearch('expiry'), PAGE, sometimes(byExpiry)),
    'search for names that lie together, by creation': () =>
      domains.page(ACCOUNT, { nameContains: somePartTogether(), status: someStatus() }, PAGE, sometimes(created)),
    'search for names that lie together, by expiry': () =>
      survey.page(ACCOUNT, { ...someSearch('expiry'), nameContains: somePartTogether() }, PAGE, sometimes(byExpiry)),
    'domains with a rare tag': () => survey.page(ACCOUNT, filteredBy('name', ['tag:rare']), PAGE),
    'domains with a rare tag, by expiry': () => survey.page(ACCOUNT, filteredBy('expiry', ['tag:rare']), PAGE),
    'domains with a common tag, by expiry': () =>
      survey.page(ACCOUNT, filteredBy('expiry', ['tag:common']), PAGE, byExpiry(anywhere())),
    'domains of a period, by expiry': () =>
      survey.page(
        ACCOUNT,
        { order: 'expiry', descending: false, expiresBefore: new Date(expiryOf(Math.ceil(size / 50))) },
        PAGE,
      ),
    'domains by several filters': () =>
      survey.page(
        ACCOUNT,
        { ...filteredBy('name', ['tag:common', 'renew:off']), status: 'active' },
        PAGE,
        sometimes(byName),
      ),
    'domains by filters that nothing matches': () =>
      survey.page(ACCOUNT, filteredBy('auto_renewal', ['tag:common'], ['tld:com']), PAGE, sometimes(byRenewal)),
    'number of domains with a common tag': () => survey.count(ACCOUNT, filteredBy('name', ['tag:common']), 500),
    activity: () => audit.page(ACCOUNT, {}, PAGE, created(anywhere())),
    'activity on a name': () => audit.page(ACCOUNT, { domainName: nameOf(anywhere()) }, PAGE),
    'activity of a kind': () => audit.page(ACCOUNT, { action: 'domain.renewed' }, PAGE, created(anywhere())),
    'changes of records of a type': () =>
      audit.search(
        ACCOUNT,
        { recordType: 'MX' },
        PAGE,
        sometimes((index) => created(index)),
      ),
    'changes of records of a type that nothing has': () => audit.search(ACCOUNT, { recordType: 'SRV' }, PAGE),
    'activity of several kinds': () =>
      audit.search(ACCOUNT, { actions: ['records.added', 'domain.renewed'] }, PAGE, created(anywhere())),
    'a call that finds no activity': () =>
      audit.search(ACCOUNT, { actions: ['domain.registered'], actor: 'operator' }, PAGE, created(anywhere())),
  };
  const results: Measured[] = [];
  for (const [title, read] of Object.entries(pages)) results.push({ title, ...(await timesOf(read)), limit: PAGE_MS });
  const overview = async (): Promise<void> => {
    await Promise.all([
      survey.countByStatus(ACCOUNT),
      survey.expiring(ACCOUNT, new Date(0), new Date(91 * DAY_MS), 7),
      survey.expiring(ACCOUNT, new Date(0), new Date(395 * DAY_MS), 1),
      survey.ending(ACCOUNT, new Date(30 * DAY_MS), 6),
      survey.page(ACCOUNT, { order: 'expiry', descending: false, status: 'redemption' }, 5),
      survey.page(ACCOUNT, { order: 'expiry', descending: false, status: 'expired' }, 5),
      audit.page(ACCOUNT, {}, 40),
      audit.page(ACCOUNT, { action: 'domain.refused', since: new Date(0) }, 5),
    ]);
  };
  return [...results, { title: 'overview', ...(await timesOf(overview)), limit: OVERVIEW_MS }];
}

async function timesOf(read: () => Promise<unknown>): Promise<Omit<Measured, 'title' | 'limit'>> {
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { p50: times[READS / 2] ?? 0, p99: times[Math.floor(READS * 0.99) - 1] ?? 0, worst: times.at(-1) ?? 0 };
}
