import type { AuditSearch } from '../../../src/application/ports/access/audit-and-events';
import {
  DOMAIN_ORDERS,
  type SortedList,
  type SortedPosition,
} from '../../../src/application/ports/registration/domain-repository';
import { SqlAuditReader } from '../../../src/infrastructure/persistence/access/sql-audit-log';
import { SqlRecordQueries } from '../../../src/infrastructure/persistence/dns/sql-record-queries';
import { SqlHealthReader } from '../../../src/infrastructure/persistence/health/sql-health';
import { SqlDomainReader } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-reader';
import { SqlDomainQueries } from '../../../src/infrastructure/persistence/registration/domains/sql-domain-queries';
import { ZONE_STATUSES, type DomainStatus } from '../../../src/domain/registration/domain-status';
import { DAY_MS } from '../../../src/domain/shared/time/calendar';
import type { SearchLimits } from '../../../src/infrastructure/persistence/registration/domains/pages/domain-page-sql';
import { insertNameGrams } from '../../../src/infrastructure/persistence/registration/domains/pages/domain-name-search';
import type { Queries } from '../../../src/infrastructure/persistence/database/database';
import { onEachDatabase } from '../../support/databases/each-database';
import { queryPlans, type PlanRow } from '../../support/databases/query-plans';

onEachDatabase('a list of an account', (database) => {
  const DOMAINS = 1_000;
  const [CURSOR, NAMED] = [new Date(DOMAINS - 500), 'n00500.com'];
  const MOST_STATUSES = ZONE_STATUSES.filter((status) => status !== 'unverified');
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
    const plans = await queryPlans(database(), read);
    const plan = plans.find(({ detail, key }) => detail?.includes('INDEX') ?? key !== null);
    const detail = plan?.detail ?? '';
    return {
      index: plan?.key ?? /INDEX (\w+)/.exec(detail)?.[1] ?? '',
      startsAtCursor: plan?.type === 'range' || /AND [\w(),]+[<>]/.test(detail),
    };
  }

  const pageOf =
    (list: Partial<SortedList>, after: SortedPosition = AFTER_NAME) =>
    (queries: Queries): Promise<unknown> =>
      new SqlDomainQueries(queries).page('acc_1', { order: 'name', descending: false, ...list }, 10, after);

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
    ['of domains by name', 'domains_by_name', pageOf({})],
    ['of domains by name, backwards', 'domains_by_name', pageOf({ descending: true })],
    ['of zones of most statuses', 'domains_by_name', pageOf({ of: 'zones', statuses: MOST_STATUSES })],
    ['of domains of a status by name', 'domains_by_status_and_name', pageOf({ status: 'active' })],
    ['of domains by expiry', 'domains_by_expiry', pageOf({ order: 'expiry' }, AFTER_EXPIRY)],
    [
      'of domains of a status by expiry',
      'domains_by_status_and_expiry',
      pageOf({ order: 'expiry', descending: true, status: 'active' }, AFTER_EXPIRY),
    ],
    ...(['nameservers', 'tags', 'health', 'price'] as const).map(
      (order): [string, string, (queries: Queries) => Promise<unknown>] => [
        `of domains by ${order}`,
        `domains_by_${order === 'health' || order === 'price' ? order : order.slice(0, -1)}`,
        pageOf({ order, descending: true }),
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
    [
      'of the activity of several kinds',
      'audit_log_by_action',
      (queries) => new SqlAuditReader(queries).search('acc_1', { actions: ['domain.renewed'] }, 10, AFTER_CREATED),
    ],
    [
      'of changes of records of a type',
      'audit_log_by_record_type',
      (queries) => new SqlAuditReader(queries).search('acc_1', { recordType: 'MX' }, 10, AFTER_CREATED),
    ],
  ])('%s is read by %s, from the cursor on', async (_which, index, read) => {
    expect(await planOf(read)).toEqual({ index, startsAtCursor: true });
  });

  it.each(['name', 'expiry'] as const)('of several statuses by %s begins at the cursor for each', async (order) => {
    const after = order === 'name' ? AFTER_NAME : AFTER_EXPIRY;
    const list = { order, descending: order === 'name', of: 'zones', statuses: ['active', 'expired'] } as const;
    const plans = await queryPlans(database(), (queries) =>
      new SqlDomainQueries(queries).page('acc_1', list, 10, after),
    );
    const read = plans.filter(({ detail, key }) => detail?.includes('INDEX domains') ?? key?.startsWith('domains'));

    expect(read.map(({ key, detail }) => key ?? /INDEX (\w+)/.exec(detail ?? '')?.[1])).toEqual(
      Array(2).fill(`domains_by_status_and_${order}`),
    );
    expect(read.filter(({ type, detail }) => type !== 'range' && !/AND \S+[<>]/.test(detail ?? ''))).toEqual([]);
  });

  it.each<[string, Partial<SortedList>]>([
    ['all zones', {}],
    ['zones of several statuses', { statuses: ['active', 'hosted'] }],
    ['zones of a status', { status: 'active' }],
    ['zones with a tag', { terms: [{ anyOf: ['tag:a'] }] }],
    ['zones with a part of a name', { nameContains: 'n005' }],
    ['zones by delegation', { delegation: { state: 'none', ours: [] } }],
  ])('of %s reads no registrant', async (_which, filter) => {
    const list = { order: 'name', descending: false, of: 'zones', ...filter } as const;
    const sent = await statementsOf((queries) => new SqlDomainQueries(queries).listed('acc_1', list, 10));

    expect(sent.filter((sql) => /\bregistrant\b/.test(sql))).toEqual([]);
  });

  it('of several statuses sorts ids and names, and looks up the domains of the page alone', async () => {
    const list = { order: 'name', descending: false, of: 'zones', statuses: ['active', 'expired'] } as const;
    const plans = await queryPlans(database(), (queries) => new SqlDomainQueries(queries).listed('acc_1', list, 10));

    const used = indexesIn(plans).filter((each) => each.startsWith('domains '));
    expect(used).toContain(`domains ${plans[0]?.detail === undefined ? 'PRIMARY' : 'sqlite_autoindex_domains_1'}`);
  });

  it.each<[string, readonly DomainStatus[]]>([
    ['several', ['active', 'expired', 'hosted']],
    ['most', MOST_STATUSES],
  ])('of zones of %s statuses has each of them once, in the order of names', async (_which, statuses) => {
    const list = { order: 'name', descending: false, of: 'zones', statuses } as const;
    const names: string[] = [];
    let after: SortedPosition | undefined;
    do {
      const { items, next } = await new SqlDomainQueries(database()).page('acc_1', list, 150, after);
      names.push(...items.map(({ name }) => name));
      after = next;
    } while (after);

    expect(names).toEqual(Array.from({ length: DOMAINS }, (_, index) => `n${String(index).padStart(5, '0')}.com`));
  });

  it.each<[string, AuditSearch, string]>([
    ['a type and actions', { recordType: 'MX', actions: ['records.added', 'records.removed'] }, 'record_type'],
    ['a type and an actor', { recordType: 'MX', actor: 'service' }, 'record_type'],
    ['actions and an actor', { actions: ['domain.renewed', 'domain.registered'], actor: 'operator' }, 'action'],
    ['names and a type', { domainNames: ['n1.com', 'n2.com'], recordType: 'MX', actor: 'service' }, 'name'],
    ['actions and tags', { actions: ['domain.renewed'], tags: ['a'] }, 'action'],
  ])('of activity of %s is read in the order of one index, and nothing is sorted', async (_what, search, index) => {
    const plans = await queryPlans(database(), (queries) =>
      new SqlAuditReader(queries).search('acc_1', search, 10, AFTER_CREATED),
    );

    const used = indexesIn(plans).filter((each) => each.startsWith('audit_log '));
    expect(used).toEqual([`audit_log audit_log_by_${index}`]);
    expect(plans.filter(({ detail, Extra }) => /TEMP B-TREE|filesort/.test(detail ?? Extra ?? ''))).toEqual([]);
  });

  const PERIOD = { expiresFrom: new Date(1), expiresBefore: new Date(DOMAINS) };
  const SORTED = DOMAIN_ORDERS.filter((order) => order !== 'name');

  it.each([
    ...SORTED.map((order) => ({ order, descending: false })),
    ...SORTED.map((order) => ({ order, descending: true })),
    { order: 'expiry' as const, descending: false, ...PERIOD },
    { order: 'expiry' as const, descending: true, ...PERIOD },
  ])('begins at the cursor even if all domains have the same value: %j', async (list) => {
    const after = list.order === 'expiry' ? AFTER_EXPIRY : AFTER_NAME;
    const [plan] = await queryPlans(database(), (queries) =>
      new SqlDomainQueries(queries).page('acc_1', list, 10, after),
    );

    // By value and id: on MySQL, the account and the id have 162 octets each.
    if (plan?.detail === undefined) expect(Number(plan?.key_len)).toBeGreaterThan(324);
    else expect(plan.detail).toMatch(list.descending ? /,id\)<\(\?,\?\)/ : /,id\)>\(\?,\?\)/);
  });

  it('looks up the few domains of an account that hosts very many other zones', async () => {
    const change = (sql: string) => database().transaction((manager) => manager.query(sql));
    const limits = { fewNames: DOMAINS, comparedNames: DOMAINS };
    const read = (queries: Queries) =>
      new SqlDomainQueries(queries, limits).page('acc_1', { order: 'nameservers', descending: false }, 10);
    const before = await read(database());
    await change("INSERT INTO domain_counts VALUES ('acc_1', 'hosted', 0, 0, 1001)");
    const { index } = await planOf(read);
    const page = await read(database());
    await change("DELETE FROM domain_counts WHERE status = 'hosted'");

    expect(index).toMatch(/^domains_by_status_and_(?:name|id)$/);
    expect((await planOf(read)).index).toBe('domains_by_nameserver');
    expect(page).toEqual(before);
  });

  it('is searched for records without a function in JavaScript for each of them on SQLite', async () => {
    const sent = await statementsOf((queries) => new SqlRecordQueries(queries).among(['d00000'], { contains: 'mail' }));

    expect(sent).toEqual([expect.stringContaining('FROM dns_records')]);
    expect(sent[0]).not.toMatch(/\bLOWER\b/i);
  });

  it.each<[string, (reader: SqlDomainReader) => Promise<unknown>]>([
    ['due names with a registration', (reader) => reader.due(new Date(1), 5)],
    ['due names without one', (reader) => reader.dueUnregistered(new Date(1), 5)],
    ['the next that is due', (reader) => reader.nextDueAt()],
  ])('reads %s of each status from an index, and none of other statuses', async (_which, read) => {
    const plans = await queryPlans(database(), (queries) => read(new SqlDomainReader(queries)));
    const ofNames = plans.filter(({ detail, key }) => /\bdomains\b/.test(detail ?? '') || key?.startsWith('domains'));

    expect(ofNames.length).toBeGreaterThan(3);
    expect(
      ofNames.filter(({ detail, key, Extra }) =>
        detail === undefined
          ? key !== 'domains_by_status_and_due' || Extra?.includes('filesort')
          : !/ domains_by_status_and_due \(status=\? AND due_at<\?\)/.test(detail),
      ),
    ).toEqual([]);
  });

  it('reads only the domains whose health is to be checked', async () => {
    const { index } = await planOf((queries) => new SqlHealthReader(queries).due(new Date(1), 5));

    expect(index).toBe('domains_by_health_check');
  });

  it('reads only the domains that another registrar has requested', async () => {
    const { index } = await planOf((queries) => new SqlDomainQueries(queries).leaving('acc_1', 5));

    expect(index).toBe('domains_leaving');
  });

  it('reads no domain that expires outside of the period of the renewals', async () => {
    const plan = await planOf((queries) =>
      new SqlDomainQueries(queries).renewing('acc_1', new Date(DOMAINS - 100), new Date(DOMAINS), 5),
    );

    expect(['domains_counted', 'domains_by_status_and_expiry', 'domains_by_expiry']).toContain(plan.index);
    expect(plan.startsAtCursor).toBe(true);
  });

  it.each([
    ['that end', undefined, undefined],
    ['that the service deletes before their renewal', { days: 5, suffixes: ['com', 'net'] }, undefined],
    ['of some tags that end', undefined, ['a', 'b']],
  ])('reads domains %s in the index that has auto-renewal, up to its last domain', async (_which, deletion, tags) => {
    const plans = await queryPlans(database(), (queries) =>
      new SqlDomainQueries(queries).ending('acc_1', new Date(500), 5, deletion, tags),
    );

    expect(indexesIn(plans)).toContain('domains domains_counted');
    expect(plans.filter(({ detail, Extra }) => /TEMP B-TREE FOR ORDER|filesort/.test(detail ?? Extra ?? ''))).toEqual(
      [],
    );
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
    const plans = await queryPlans(database(), (queries) =>
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
    );

    const lists = plans.filter(({ detail, table }) => detail?.includes(' found ') ?? table === 'found');
    expect(lists.length).toBeGreaterThan(0);
    expect(
      lists.every(({ detail, table, type, key, Extra }) =>
        detail === undefined
          ? table === 'found' && type === 'range' && key === 'PRIMARY' && !Extra?.includes('filesort')
          : /SEARCH found USING (?:PRIMARY KEY \(account_id=\? AND term|COVERING INDEX domains_by_term \(term=\? AND account_id)=\? AND \(name,domain_id\)[<>]/.test(
              detail,
            ),
      ),
    ).toBe(true);
    expect(plans.some(({ detail }) => detail?.includes('TEMP B-TREE'))).toBe(false);
  });

  it('is filtered by terms in another order, and looks up those of each domain together, by its id', async () => {
    const plans = await queryPlans(database(), (queries) =>
      new SqlDomainQueries(queries, { fewNames: 10, comparedNames: 200 }).page(
        'acc_1',
        {
          order: 'auto_renewal',
          descending: false,
          terms: [{ anyOf: ['tag:a'] }, { anyOf: ['tag:b', 'tag:c'], not: true }],
        },
        10,
      ),
    );

    const lookUps = plans.filter(({ detail, key }) => detail?.includes('terms_of_domain') ?? key === 'terms_of_domain');
    expect(lookUps).toHaveLength(2);
    // MySQL may read all terms of so few domains.
    expect(
      lookUps.every(
        ({ detail }) =>
          detail === undefined ||
          detail.includes('COVERING INDEX terms_of_domain (domain_id=? AND account_id=? AND term=?)'),
      ),
    ).toBe(true);
    expect(plans.some(({ detail, Extra }) => /TEMP B-TREE|filesort/.test(detail ?? Extra ?? ''))).toBe(false);
  });

  it('is searched in the order of a trigram, from the cursor on, if many names have it', async () => {
    const plans = await queryPlans(database(), (queries) =>
      searchWith(queries, { fewNames: 10, comparedNames: 1_000 }),
    );

    expect(indexesIn(plans)).toEqual(['domain_name_grams PRIMARY', 'domains domains_by_name']);
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
    const plans = await queryPlans(database(), (queries) => read(queries, { fewNames: 10, comparedNames: 200 }));

    const listed = plans.filter(({ detail, table }) => detail?.includes(' listed ') ?? table === 'listed');
    expect(listed).toHaveLength(1);
    expect(
      listed.every(({ detail, type, Extra }) =>
        detail === undefined
          ? type === 'range' && Extra?.includes('Using index')
          : /SEARCH listed USING COVERING INDEX \w+ \(.*[<>]\(\?,\?\)\)/.test(detail),
      ),
    ).toBe(true);
  });

  /** As SQLite reads them: without what only MySQL does. */
  async function statementsOf(read: (queries: Queries) => Promise<unknown>): Promise<readonly string[]> {
    const sent: string[] = [];
    await read({
      query: (sql, parameters) => {
        sent.push(sql.replaceAll(/\/\*!.*?\*\//g, ''));
        return database().query(sql, parameters);
      },
    });
    return sent;
  }

  /** Tables and indexes that the queries use, sorted. */
  const indexesRead = async (read: (queries: Queries) => Promise<unknown>) =>
    indexesIn(await queryPlans(database(), read));
});

function indexesIn(plans: readonly PlanRow[]): readonly string[] {
  const indexes = plans.flatMap(({ detail, table, key }) => {
    if (detail === undefined) return table && !table.startsWith('<') ? [`${table} ${key}`] : [];
    const [, searched, index = 'PRIMARY'] =
      /^(?:SEARCH|SCAN) (\w+) USING (?:PRIMARY KEY|(?:COVERING )?INDEX (\w+))/.exec(detail) ?? [];
    return searched === undefined ? [] : [`${searched} ${index}`];
  });
  return [...new Set(indexes)].toSorted();
}
