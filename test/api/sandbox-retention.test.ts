import { CleanUp } from '../../src/application/retention/clean-up';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { onBothDatabases } from '../support/databases/databases';
import { api, registered } from '../support/service/service';

const YEARS = 10;
/** By then the longest period, three years of activity, has ended for the first entries. */
const SETTLED = 5;
const TABLES = [
  'domains',
  'domain_counts',
  'domain_name_grams',
  'zones',
  'zone_changes',
  'dns_records',
  'operations',
  'audit_log',
  'idempotency_records',
];
const DEFAULTS = {
  AUDIT_RETENTION_DAYS: '1095',
  OPERATION_RETENTION_DAYS: '365',
  PERSONAL_DATA_RETENTION_DAYS: '90',
  ENDED_DOMAIN_RETENTION_DAYS: '365',
};

onBothDatabases(
  'Ten years in the sandbox',
  (service) => {
    it('keep tables at a constant size if each year is alike', async () => {
      const client = api(service(), await service().key(await service().account()));
      const database = new Database(service().config.database, SERVICE_CONTENT);
      await database.open();
      await registered(client, 'renewed-each-year.com');
      const sizes: Record<string, number>[] = [];

      for (let year = 0; year < YEARS; year += 1) {
        const id = await registered(client, `of-year-${year}.com`);
        await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
        await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' });
        await client.post('/api/sandbox/advance', { days: 365 }).expect(200);
        await service().container.get(CleanUp).run();
        const size: Record<string, number> = {};
        for (const table of TABLES)
          size[table] = Number(
            (await database.query<{ amount: number }>(`SELECT COUNT(*) AS amount FROM ${table}`))[0]?.amount,
          );
        sizes.push(size);
      }
      await database.close();

      for (const table of TABLES) {
        const settled = sizes.slice(SETTLED).map((size) => size[table] ?? 0);
        // Leap days move some entries from one year to the next.
        expect(Math.max(...settled)).toBeLessThanOrEqual(Math.min(...settled) * 1.2);
      }
      expect(sizes.at(-1)).toMatchObject({ domains: 3, zones: 3, operations: 2 });
    });
  },
  DEFAULTS,
);
