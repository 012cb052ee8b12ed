import type { RecordFilter } from '../../src/application/ports/dns/zone-repository';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { TypeOrmRecordReader } from '../../src/infrastructure/persistence/dns/typeorm-zone-repository';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { onBothDatabases } from '../support/databases/databases';
import { api, registered } from '../support/service/service';

/** A page of 500 in their order is a quarter of it: enough for a database to be tempted. */
const RECORDS = 2_000;
const AFTER = { createdAt: new Date(0), id: '' };

/** SQLite says it in a sentence, MySQL in columns. */
interface PlanRow {
  readonly detail?: string;
  readonly key?: string;
}

onBothDatabases('a list of records', (service) => {
  let database: Database;
  let domainId: string;

  beforeAll(async () => {
    const client = api(service(), await service().key(await service().account()));
    domainId = await registered(client, 'query-plans.com');
    const lines = Array.from({ length: RECORDS }, (_, index) => `h${index} 60 A 192.0.2.1\n`).join('');
    await client.put(`/api/domains/${domainId}/dns/zonefile`, `${lines}@ 60 MX 10 mail.example.net.\n`).set('Content-Type', 'text/dns').expect(200);
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
    await new TypeOrmRecordReader(explaining).page(domainId, filter, 500, after);
    const [{ detail = '', key } = {}] = plans;
    return key ?? /USING INDEX (\w+)/.exec(detail)?.[1] ?? detail;
  }

  it.each<[string, RecordFilter, string]>([
    ['of one name', { name: 'h1' }, 'dns_records_in_sets'],
    ['of one name and type', { name: 'h1', type: 'A' }, 'dns_records_in_sets'],
    ['of a type', { type: 'MX' }, 'dns_records_by_type'],
    ['of all', {}, 'dns_records_in_order'],
  ])('%s is found by an index, from the beginning and from a cursor on, however large the zone is', async (_which, filter, index) => {
    expect([await indexFor(filter), await indexFor(filter, AFTER)]).toEqual([index, index]);
  });
});
