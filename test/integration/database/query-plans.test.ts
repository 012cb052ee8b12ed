import type { RecordFilter } from '../../../src/application/ports/dns/zone-repository';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SqlAuditReader } from '../../../src/infrastructure/persistence/access/typeorm-audit-log';
import { SqlHealthReader } from '../../../src/infrastructure/persistence/health/sql-health';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/typeorm-domain-repository';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { DAY_MS } from '../../../src/domain/shared/calendar';
import type { SearchLimits } from '../../../src/infrastructure/persistence/registration/domains/domain-page-sql';
import { insertNameGrams } from '../../../src/infrastructure/persistence/registration/domains/domain-name-search';
import { openAccount } from '../../../src/domain/access/account';
import { SERVICE } from '../../../src/domain/access/actor';
import { newTarget } from '../../../src/domain/dns/alias/alias-target';
import { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';
import { derivedPages } from '../../../src/infrastructure/persistence/dns/dnssec/derived-rows';
import { SqlRecordReader } from '../../../src/infrastructure/persistence/dns/sql-zone-reader';
import { SqlAliasReader } from '../../../src/infrastructure/persistence/dns/aliases/sql-aliases';
import { TypeOrmUnitOfWork } from '../../../src/infrastructure/persistence/typeorm-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { MovableClock } from '../../support/fakes/movable-clock';
import type { Queries } from '../../../src/infrastructure/persistence/database/database';
import { onEachDatabase } from '../../support/databases/each-database';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered } from '../../support/service/service';

/** A page of 500 in their order is a quarter of it: enough for a database to be tempted. */
const RECORDS = 2_000;
const AFTER = { createdAt: new Date(0), id: '' };

/** SQLite says it in a sentence, MySQL in columns. */
interface PlanRow {
  readonly detail?: string;
  readonly table?: string | null;
  readonly key?: string;
  readonly possible_keys?: string;
  readonly type?: string;
  readonly key_len?: string;
  readonly Extra?: string;
}

onBothDatabases('a list of records', (service) => {
  let database: Database;
  let domainId: string;

  beforeAll(async () => {
    const client = api(service(), await service().key(await service().account()));
    domainId = await registered(client, 'query-plans.com');
    const lines = Array.from({ length: RECORDS }, (_, index) => `h${index} 60 A 192.0.2.1\n`).join('');
    await client
      .put(`/api/domains/${domainId}/dns/zonefile`, `${lines}@ 60 MX 10 mail.example.net.\n`)
      .set('Content-Type', 'text/dns')
      .expect(200);
    database = new Database(service().config.database, SERVICE_CONTENT);
    await database.open();
  });
  afterAll(() => database.close());

  /** The index by which the records are found. */
  async function indexFor(filter: RecordFilter, after?: typeof AFTER): Promise<string> {
    const plans: PlanRow[] = [];
    const explain = service().config.database.kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
    const explaining = {
      query: async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
        plans.push(...(await database.query<PlanRow>(`${explain} ${sql}`, parameters)));
        return [];
      },
    };
    await new SqlRecordReader(explaining).page(domainId, filter, 500, after);
    const [{ detail = '', key } = {}] = plans;
    return key ?? /USING INDEX (\w+)/.exec(detail)?.[1] ?? detail;
  }

  it.each<[string, RecordFilter, string]>([
    ['of one name', { name: 'h1' }, 'dns_records_in_sets'],
    ['of one name and type', { name: 'h1', type: 'A' }, 'dns_records_in_sets'],
    ['of a type', { type: 'MX' }, 'dns_records_by_type'],
    ['of all', {}, 'dns_records_in_order'],
  ])(
    '%s is found by an index, from the beginning and from a cursor on, however large the zone is',
    async (_which, filter, index) => {
      expect([await indexFor(filter), await indexFor(filter, AFTER)]).toEqual([index, index]);
    },
  );
});

onEachDatabase('a list of an account', (database) => {
  const DOMAINS = 1_000;
  const [CURSOR, NAMED] = [new Date(DOMAINS - 500), 'n00500.com'];
  const AFTER_CREATED = { createdAt: CURSOR, id: 'd00500' };
  const AFTER_NAME = { value: NAMED, id: 'd00500' };
  const AFTER_EXPIRY = { value: CURSOR.getTime(), id: 'd00500' };

  beforeAll(async () => {
    await database().transaction(async (manager) => {
      await manager.query("INSERT INTO accounts (id, name, created_at) VALUES ('acc_1', 'An account', 0)");
      for (let index = 0; index < DOMAINS; index += 1) {
        const digits = String(index).padStart(5, '0');
        await manager.query(
          "INSERT INTO domains (id, account_id, name, live_name, status, expires_at, auto_renew, transfer_locked, nameservers, registrant, created_at, updated_at) VALUES (?, 'acc_1', ?, ?, ?, ?, 1, 1, '[]', '{}', ?, 0)",
          [`d${digits}`, `n${digits}.com`, `n${digits}.com`, index % 10 === 0 ? 'expired' : 'active', index, index],
        );
        await insertNameGrams(manager, { account_id: 'acc_1', name: `n${digits}.com` });
        await manager.query(
          "INSERT INTO audit_log (id, account_id, happened_at, actor, action, domain_id, domain_name, facts_before, facts_after, retained_from) VALUES (?, 'acc_1', ?, ?, ?, ?, ?, '{}', '{}', 0)",
          [
            `e${digits}`,
            index,
            index % 2 === 0 ? 'service' : 'operator',
            index % 3 === 0 ? 'domain.renewed' : 'domain.registered',
            'd00000',
            `n${index % 4}.com`,
          ],
        );
      }
      for (const [term, every] of [
        ['tag:a', 2],
        ['tag:b', 3],
        ['tag:c', 5],
      ])
        await manager.query(
          'INSERT INTO domain_terms (account_id, term, name, domain_id) SELECT account_id, ?, name, id FROM domains WHERE created_at % ? = 0',
          [term, every],
        );
      await manager.query(
        "INSERT INTO domain_counts (account_id, status, expires_on, auto_renew, amount) VALUES ('acc_1', 'active', 0, 1, 900), ('acc_1', 'expired', 0, 1, 100)",
      );
    });
  });

  /** How the first of its queries reads: by which index, and whether from the cursor on. */
  async function planOf(
    read: (queries: Queries) => Promise<unknown>,
  ): Promise<{ readonly index: string; readonly startsAtCursor: boolean }> {
    const plans: PlanRow[] = [];
    await read({
      query: async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
        const explain = database().forUpdate === '' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
        plans.push(...(await database().query<PlanRow>(`${explain} ${sql}`, parameters)));
        return [];
      },
    });
    const plan = plans.find(({ detail, key }) => detail?.includes('INDEX') ?? key !== null);
    const detail = plan?.detail ?? '';
    return {
      index: plan?.key ?? /INDEX (\w+)/.exec(detail)?.[1] ?? '',
      startsAtCursor: plan?.type === 'range' || /AND \w+[<>]/.test(detail),
    };
  }

  it.each<[string, string, (queries: Queries) => Promise<unknown>]>([
    [
      'of domains',
      'domains_by_account',
      (queries) => new SqlDomainReader(queries).page('acc_1', {}, 10, AFTER_CREATED),
    ],
    [
      'of domains of a status',
      'domains_by_status_and_creation',
      (queries) => new SqlDomainReader(queries).page('acc_1', { status: 'expired' }, 10, AFTER_CREATED),
    ],
    [
      'of domains by name',
      'domains_by_name',
      (queries) => new SqlDomainQueries(queries).page('acc_1', { order: 'name', descending: false }, 10, AFTER_NAME),
    ],
    [
      'of domains by name, backwards',
      'domains_by_name',
      (queries) => new SqlDomainQueries(queries).page('acc_1', { order: 'name', descending: true }, 10, AFTER_NAME),
    ],
    [
      'of domains of a status by name',
      'domains_by_status_and_name',
      (queries) =>
        new SqlDomainQueries(queries).page(
          'acc_1',
          { order: 'name', descending: false, status: 'active' },
          10,
          AFTER_NAME,
        ),
    ],
    [
      'of domains by expiry',
      'domains_by_expiry',
      (queries) =>
        new SqlDomainQueries(queries).page('acc_1', { order: 'expiry', descending: false }, 10, AFTER_EXPIRY),
    ],
    [
      'of domains of a status by expiry',
      'domains_by_status_and_expiry',
      (queries) =>
        new SqlDomainQueries(queries).page(
          'acc_1',
          { order: 'expiry', descending: true, status: 'active' },
          10,
          AFTER_EXPIRY,
        ),
    ],
    ...(['nameservers', 'tags', 'health', 'price'] as const).map(
      (order): [string, string, (queries: Queries) => Promise<unknown>] => [
        `of domains by ${order}`,
        `domains_by_${order === 'health' || order === 'price' ? order : order.slice(0, -1)}`,
        (queries) => new SqlDomainQueries(queries).page('acc_1', { order, descending: true }, 10, AFTER_NAME),
      ],
    ),
    [
      'of activity',
      'audit_log_by_account',
      (queries) => new SqlAuditReader(queries).page('acc_1', {}, 10, AFTER_CREATED),
    ],
    [
      'of the activity on a domain',
      'audit_log_by_domain',
      (queries) => new SqlAuditReader(queries).page('acc_1', { domainId: 'd00000' }, 10, AFTER_CREATED),
    ],
    [
      'of the activity on a name',
      'audit_log_by_name',
      (queries) => new SqlAuditReader(queries).page('acc_1', { domainName: 'n1.com' }, 10, AFTER_CREATED),
    ],
    [
      'of the activity of a kind',
      'audit_log_by_action',
      (queries) => new SqlAuditReader(queries).page('acc_1', { action: 'domain.renewed' }, 10, AFTER_CREATED),
    ],
    [
      'of the activity of an actor',
      'audit_log_by_actor',
      (queries) => new SqlAuditReader(queries).page('acc_1', { actor: 'service' }, 10, AFTER_CREATED),
    ],
  ])('%s is read by %s, from the cursor on', async (_which, index, read) => {
    expect(await planOf(read)).toEqual({ index, startsAtCursor: true });
  });

  it('of domains whose health is to be checked reads those only', async () => {
    const { index } = await planOf((queries) => new SqlHealthReader(queries).due(new Date(1), 5));

    expect(index).toBe('domains_by_health_check');
  });

  it('of domains that another registrar has requested reads no other domain', async () => {
    const { index } = await planOf((queries) => new SqlDomainQueries(queries).leaving('acc_1', 5));

    expect(index).toBe('domains_leaving');
  });

  it('of renewals in a period reads no domain that expires outside of it', async () => {
    const plan = await planOf((queries) =>
      new SqlDomainQueries(queries).renewing('acc_1', new Date(DOMAINS - 100), new Date(DOMAINS), 5),
    );

    expect(['domains_counted', 'domains_by_status_and_expiry', 'domains_by_expiry']).toContain(plan.index);
    expect(plan.startsAtCursor).toBe(true);
  });

  it.each<[string, (queries: Queries) => Promise<unknown>]>([
    ['by status', (queries) => new SqlDomainQueries(queries).countByStatus('acc_1')],
    [
      'by week of expiry',
      (queries) => new SqlDomainQueries(queries).expiring('acc_1', new Date(0), new Date(DAY_MS), 7),
    ],
  ])('is counted %s without reading its domains', async (_how, read) => {
    expect(await indexesRead(read)).toEqual(['domain_counts PRIMARY']);
  });

  const searchWith = (queries: Queries, limits?: SearchLimits) =>
    new SqlDomainQueries(queries, limits).page(
      'acc_1',
      { order: 'name', descending: false, nameContains: 'n007' },
      10,
      { ...AFTER_NAME, value: 'n00700.com' },
    );

  it.each<[string, (queries: Queries) => Promise<unknown>]>([
    ['by name', (queries) => searchWith(queries)],
    [
      'by expiry',
      (queries) =>
        new SqlDomainQueries(queries).page(
          'acc_1',
          { order: 'expiry', descending: true, status: 'active', nameContains: 'n007' },
          10,
          AFTER_EXPIRY,
        ),
    ],
    [
      'by creation',
      (queries) =>
        new SqlDomainReader(queries).page('acc_1', { status: 'active', nameContains: 'n007' }, 10, AFTER_CREATED),
    ],
  ])('is searched %s by trigrams, and then for the domains of the names that have them', async (_order, read) => {
    expect(await indexesRead(read)).toEqual(['domain_name_grams PRIMARY', 'domains domains_by_name']);
  });

  it('is filtered by terms in the order of their names, from the cursor on, and reads no domain that lacks one', async () => {
    const plans: PlanRow[] = [];

    await indexesRead(
      (queries) =>
        new SqlDomainQueries(queries, { fewNames: 10, comparedNames: 200 }).page(
          'acc_1',
          {
            order: 'name',
            descending: false,
            terms: [{ anyOf: ['tag:a'] }, { anyOf: ['tag:b'] }, { anyOf: ['tag:c'], not: true }],
          },
          10,
          AFTER_NAME,
        ),
      plans,
    );

    const lists = plans.filter(({ detail, table }) => detail?.includes(' found ') ?? table === 'found');
    expect(lists.length).toBeGreaterThan(0);
    expect(
      lists.every(({ detail, table, type, key, Extra }) =>
        detail === undefined
          ? table === 'found' && type === 'range' && key === 'PRIMARY' && !Extra?.includes('filesort')
          : /SEARCH found USING (?:PRIMARY KEY \(account_id=\? AND term|COVERING INDEX domains_by_term \(term=\? AND account_id)=\? AND name[<>]/.test(
              detail,
            ),
      ),
    ).toBe(true);
    expect(plans.some(({ detail }) => detail?.includes('TEMP B-TREE'))).toBe(false);
  });

  it('is searched in the order of a trigram, from the cursor on, if many names have it', async () => {
    const plans: PlanRow[] = [];

    expect(await indexesRead((queries) => searchWith(queries, { fewNames: 10, comparedNames: 1_000 }), plans)).toEqual([
      'domain_name_grams PRIMARY',
      'domains domains_by_name',
    ]);
    expect(
      plans.some(({ detail, type, table }) =>
        detail === undefined ? table === 'domain_name_grams' && type === 'range' : /gram=\? AND name>\?/.test(detail),
      ),
    ).toBe(true);
  });

  it.each<[string, (queries: Queries, limits: SearchLimits) => Promise<unknown>]>([
    [
      'by creation',
      (queries, limits) =>
        new SqlDomainReader(queries, limits).page('acc_1', { nameContains: 'n00' }, 10, AFTER_CREATED),
    ],
    [
      'by creation among those of a status',
      (queries, limits) =>
        new SqlDomainReader(queries, limits).page(
          'acc_1',
          { status: 'active', nameContains: 'n00' },
          10,
          AFTER_CREATED,
        ),
    ],
    [
      'by expiry',
      (queries, limits) =>
        new SqlDomainQueries(queries, limits).page(
          'acc_1',
          { order: 'expiry', descending: true, nameContains: 'n00' },
          10,
          AFTER_EXPIRY,
        ),
    ],
    [
      'by expiry among those of a status',
      (queries, limits) =>
        new SqlDomainQueries(queries, limits).page(
          'acc_1',
          { order: 'expiry', descending: true, status: 'active', nameContains: 'n00' },
          10,
          AFTER_EXPIRY,
        ),
    ],
  ])('compares names %s in an index, and reads only the domains that match', async (_order, read) => {
    const plans: PlanRow[] = [];

    await indexesRead((queries) => read(queries, { fewNames: 10, comparedNames: 200 }), plans);

    const listed = plans.filter(({ detail, table }) => detail?.includes(' listed ') ?? table === 'listed');
    expect(listed).toHaveLength(1);
    expect(
      listed.every(({ detail, type, Extra }) =>
        detail === undefined
          ? type === 'range' && Extra?.includes('Using index')
          : /SEARCH listed USING COVERING INDEX \w+ \(.*[<>]\?\)/.test(detail),
      ),
    ).toBe(true);
  });

  /** Tables and indexes that the queries use, sorted. Runs each query, because the next may depend on its result. */
  async function indexesRead(
    read: (queries: Queries) => Promise<unknown>,
    plans: PlanRow[] = [],
  ): Promise<readonly string[]> {
    const explain = database().forUpdate === '' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN FORMAT=TRADITIONAL';
    await read({
      query: async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
        plans.push(...(await database().query<PlanRow>(`${explain} ${sql}`, parameters)));
        return database().query<T>(sql, parameters);
      },
    });
    const indexes = plans.flatMap(({ detail, table, key }) => {
      if (detail === undefined) return table && !table.startsWith('<') ? [`${table} ${key}`] : [];
      const [, searched, index = 'PRIMARY'] =
        /^(?:SEARCH|SCAN) (\w+) USING (?:PRIMARY KEY|(?:COVERING )?INDEX (\w+))/.exec(detail) ?? [];
      return searched === undefined ? [] : [`${searched} ${index}`];
    });
    return [...new Set(indexes)].toSorted();
  }
});

onEachDatabase('the queries of ALIAS records', (database) => {
  const clock = new MovableClock();
  const at = clock.now();

  beforeAll(async () => {
    const units = new TypeOrmUnitOfWork(database(), new RandomIds(), clock, clock);
    const by = { actor: SERVICE, at };
    const domain = aDomain({ id: 'dom_1', name: 'alias-plans.com', accountId: 'acc_1' });
    const added = Array.from({ length: 500 }, (_, index) =>
      DnsRecord.create(
        { type: 'ALIAS', name: `n${index}`, content: `t${index}.test` },
        'alias-plans.com',
        `rec_${index}`,
        at,
        ALL_TYPES,
      ),
    );
    await units.run(async ({ accounts, aliases, domains, zones }) => {
      await accounts.add(openAccount('acc_1', 'An account', at));
      await domains.add(domain);
      await zones.create(domain.id, by);
      const zone = await zones.lock(domain.id);
      if (zone) await zones.apply([{ zone, change: { added, changed: [], removed: [] }, by }]);
      const names = added.map(({ name }) => name).slice(1);
      await aliases.setDue(domain.id, names, null);
      await aliases.addTargets(names.map((name) => newTarget(`${name}.test`, new Date(at.getTime() + DAY_MS))));
    });
    if (database().forUpdate !== '') await database().query('ANALYZE TABLE aliases, alias_targets, domains');
  });

  it.each<[string, (reader: SqlAliasReader) => Promise<unknown>]>([
    ['due records', (reader) => reader.dueAliases(at, 200)],
    ['due targets', (reader) => reader.dueTargets(at, 200)],
    ['the status of some records', (reader) => reader.statuses('dom_1', ['n1'])],
    ['a record at an absolute name', (reader) => reader.targetAt('n1.alias-plans.com')],
  ])('find %s by an index, however many records there are', async (_what, read) => {
    const plans: PlanRow[] = [];
    const explain = database().forUpdate !== '' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN QUERY PLAN';
    await read(
      new SqlAliasReader({
        query: async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
          plans.push(...(await database().query<PlanRow>(`${explain} ${sql}`, parameters)));
          return [];
        },
      }),
    );

    expect(plans.filter(({ detail = '', type }) => detail.startsWith('SCAN') || type === 'ALL')).toEqual([]);
  });

  it('read the derived RRsets of a zone by the primary key', async () => {
    const explain = database().forUpdate !== '' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN QUERY PLAN';
    const plans: PlanRow[] = [];
    const query = async <T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> => {
      plans.push(...(await database().query<PlanRow>(`${explain} ${sql}`, parameters)));
      return [];
    };
    await derivedPages({ query }, 'dom_1').next();

    // With other keys to choose from, MariaDB reads a large zone from its start up to each page.
    const [{ detail, possible_keys: keys } = {}] = plans;
    expect(detail ?? keys).toMatch(/^PRIMARY$|autoindex_derived_rrsets_1 /);
  });
});
