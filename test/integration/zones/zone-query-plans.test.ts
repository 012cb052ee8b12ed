import type { RecordFilter } from '../../../src/application/ports/dns/zone-queries';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { DAY_MS } from '../../../src/domain/shared/time/calendar';
import { openAccount } from '../../../src/domain/access/account';
import { SERVICE } from '../../../src/domain/access/actor';
import { newTarget } from '../../../src/domain/dns/alias/alias-target';
import { DnsRecord } from '../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../src/domain/dns/records/types/record-types';
import { derivedPages } from '../../../src/infrastructure/persistence/dns/dnssec/derived-rows';
import { readNames, SqlRecordReader } from '../../../src/infrastructure/persistence/dns/sql-zone-reader';
import { SqlAliasReader } from '../../../src/infrastructure/persistence/dns/aliases/sql-aliases';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { MovableClock } from '../../support/fakes/movable-clock';
import { onEachDatabase } from '../../support/databases/each-database';
import { onBothDatabases } from '../../support/databases/databases';
import { queryPlans } from '../../support/databases/query-plans';
import { api, registered } from '../../support/service/service';

/** A page of 500 in their order is a quarter of it: enough for a database to be tempted. */
const RECORDS = 2_000;
const AFTER = { createdAt: new Date(0), id: '' };

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
    const [{ detail = '', key } = {}] = await queryPlans(database, (queries) =>
      new SqlRecordReader(queries).page(domainId, filter, 500, after),
    );
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

  it('below a name is read from an index alone', async () => {
    const [{ detail, key, Extra } = {}] = await queryPlans(database, (queries) => readNames(queries, domainId, 'h1'));

    expect(detail ?? `COVERING INDEX ${key} ${Extra}`).toMatch(
      /COVERING INDEX dns_records_in_sets .*(Using index|name>)/,
    );
  });

  it.each<[string, RecordFilter]>([
    ['of all', {}],
    ['of a type', { type: 'A' }],
  ])('%s begins at the cursor even if all records have the same time', async (_which, filter) => {
    const [plan] = await queryPlans(database, (queries) =>
      new SqlRecordReader(queries).page(domainId, filter, 500, AFTER),
    );

    // On MySQL, the domain and the id have 162 octets each.
    if (plan?.detail === undefined) expect(Number(plan?.key_len)).toBeGreaterThan(324);
    else expect(plan.detail).toContain('(created_at,id)>(?,?)');
  });
});

onEachDatabase('the queries of ALIAS records', (database) => {
  const clock = new MovableClock();
  const at = clock.now();

  beforeAll(async () => {
    const units = new SqlUnitOfWork(database(), new RandomIds(), clock, clock);
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
    ['due targets', (reader) => reader.dueTargets(at, 200, 'answered')],
    ['due targets without an answer', (reader) => reader.dueTargets(at, 200, 'unanswered')],
    ['the status of some records', (reader) => reader.statuses('dom_1', ['n1'])],
    ['a record at an absolute name', (reader) => reader.targetAt('n1.alias-plans.com')],
  ])('find %s by an index, however many records there are', async (_what, read) => {
    const plans = await queryPlans(database(), (queries) => read(new SqlAliasReader(queries)));

    expect(plans.filter(({ detail = '', type }) => detail.startsWith('SCAN') || type === 'ALL')).toEqual([]);
  });

  it('read the derived RRsets of a zone by the primary key', async () => {
    const [{ detail, possible_keys: keys } = {}] = await queryPlans(database(), (queries) =>
      derivedPages(queries, 'dom_1').next(),
    );

    // With other keys to choose from, MariaDB reads a large zone from its start up to each page.
    expect(detail ?? keys).toMatch(/^PRIMARY$|autoindex_derived_rrsets_1 /);
  });
});
