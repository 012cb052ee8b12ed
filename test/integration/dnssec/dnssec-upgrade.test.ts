import { setTimeout as sleep } from 'node:timers/promises';
import { SigningReader } from '../../../src/application/ports/dns/signing/signing-repository';
import { RefreshSignatures } from '../../../src/application/dns/signing/signatures/refresh-signatures';
import { ZoneSigner } from '../../../src/application/dns/signing/zone-signer';
import { UnitOfWork } from '../../../src/application/ports/storage/unit-of-work';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { CanonicalNames1795811400000 } from '../../../src/infrastructure/persistence/migrations/1795811400000-canonical-names';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { withEachDatabase } from '../../support/databases/each-database';
import { SECRET_KEY } from '../../support/databases/releases';
import { api, registered, startService, type TestService } from '../../support/service/service';

const RP = 17;
/** RDATA of an RP record with the names NAME.example.net and the root. */
const rdata = (name: string) => `\\# 20 05${Buffer.from(name).toString('hex')}076578616d706c65036e65740000`;

withEachDatabase('an upgrade from a version that signed names in mixed case', (databases) => {
  it('makes the signatures of TYPE### records again, and no others', async () => {
    const location = await databases.create();
    const older = await start(location);
    const client = api(older, await older.key(await older.account()));
    const id = await registered(client, 'mixed-case.com');
    await client
      .post(`/api/domains/${id}/dns/records/batch`, {
        create: [
          { type: 'TYPE17', name: 'www', content: rdata('admin') },
          { type: 'A', name: 'www', content: '192.0.2.1' },
        ],
      })
      .expect(200);
    const signer = older.container.get<ZoneSigner>(ZoneSigner);
    const key = await signer.createKey();
    await older.container.get(UnitOfWork).run((stores) => signer.start(stores, id, { denial: 'nsec', key }));
    const right = await rowsOf(older, id);
    await older.stop();
    await inDatabase(location, async (query) => {
      await query("UPDATE dns_records SET content = ? WHERE domain_id = ? AND type = 'TYPE17'", [rdata('Admin'), id]);
      await query("UPDATE derived_rrsets SET digest = 'wrong', signatures = ? WHERE domain_id = ? AND type = ?", [
        JSON.stringify([Buffer.alloc(64, 1).toString('base64')]),
        id,
        RP,
      ]);
      await query('DELETE FROM migrations WHERE name = ?', [CanonicalNames1795811400000.name]);
    });

    const upgraded = await start(location);
    const due = () => upgraded.container.get<SigningReader>(SigningReader).due(new Date(), 1);
    // The worker of this process may be the one that renews.
    while ((await due()).length > 0) {
      await upgraded.container.get(RefreshSignatures).run();
      await sleep(20);
    }
    const rows = await rowsOf(upgraded, id);
    await upgraded.stop();

    expect(rows.get(RP)?.digest).toBe(right.get(RP)?.digest);
    expect(rows.get(RP)?.signatures[0]?.length).toBe(right.get(RP)?.signatures[0]?.length);
    expect(rows.get(1)).toEqual(right.get(1));
  });
});

function start(location: DatabaseLocation): Promise<TestService> {
  const url = location.kind === 'sqlite' ? `sqlite:${location.file}` : location.url;
  return startService({ DATABASE_URL: url, SECRET_KEY, RECORD_TYPES: 'all' });
}

async function rowsOf({ container }: TestService, domainId: string) {
  const rows = await container.get<SigningReader>(SigningReader).derivedAt(domainId, ['www']);
  return new Map(rows.map((row) => [row.type, row]));
}

async function inDatabase(
  location: DatabaseLocation,
  change: (query: (sql: string, parameters: unknown[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const database = new Database(location, SERVICE_CONTENT);
  await database.open();
  await database.transaction((manager) => change((sql, parameters) => manager.query(sql, parameters)));
  await database.close();
}
