import { CleanUp } from '../../../src/application/retention/clean-up';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { registryFileFor } from '../../../src/infrastructure/registry/sandbox/simulated/store/registry-file';
import { SIMULATED_CONTENT } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { onBothDatabases } from '../../support/databases/databases';
import { api, registered } from '../../support/service/service';

const YEARS = 10;
/** By then the longest period, six years of the registry's ledger, has ended for the first entries. */
const SETTLED = 7;
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
const REGISTRY_TABLES = ['simreg_registrations', 'simreg_charges', 'simreg_transactions', 'simreg_notices'];
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
      const location = service().config.database;
      const database = new Database(location, SERVICE_CONTENT);
      const registry = new Database(
        location.kind === 'sqlite' ? { kind: 'sqlite', file: registryFileFor(location.file) } : location,
        SIMULATED_CONTENT,
      );
      await Promise.all([database.open(), registry.open()]);
      const tables = [
        ...TABLES.map((table) => [table, database] as const),
        ...REGISTRY_TABLES.map((table) => [table, registry] as const),
      ];
      await registered(client, 'renewed-each-year.com');
      const sizes: Record<string, number>[] = [];

      for (let year = 0; year < YEARS; year += 1) {
        const id = await registered(client, `of-year-${year}.com`);
        await client.put(`/api/domains/${id}/autorenew`, { auto_renew: false }).expect(200);
        await client.post(`/api/domains/${id}/dns/records`, { type: 'A', name: 'www', content: '192.0.2.1' });
        await client.post('/api/sandbox/advance', { days: 365 }).expect(200);
        await service().container.get(CleanUp).run();
        const size: Record<string, number> = {};
        for (const [table, source] of tables)
          size[table] = Number(
            (await source.query<{ amount: number }>(`SELECT COUNT(*) AS amount FROM ${table}`))[0]?.amount,
          );
        sizes.push(size);
      }
      await Promise.all([database.close(), registry.close()]);

      for (const [table] of tables) {
        const settled = sizes.slice(SETTLED).map((size) => size[table] ?? 0);
        // Leap days move some entries from one year to the next.
        expect(Math.max(...settled)).toBeLessThanOrEqual(Math.min(...settled) * 1.2);
      }
      expect(sizes.at(-1)).toMatchObject({ domains: 3, zones: 3, operations: 2 });
    });
  },
  DEFAULTS,
);
