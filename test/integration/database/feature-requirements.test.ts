import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import type { Stores } from '../../../src/application/ports/storage/unit-of-work';
import { ApiKey, ApiKeyToken } from '../../../src/domain/access/api-key';
import { User } from '../../../src/domain/access/people/user';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { migrationsOf } from '../../../src/infrastructure/persistence/database/resumable-migrations';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random-ids';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { aRecord } from '../../support/data/a-record';
import { withEachDatabase } from '../../support/databases/each-database';
import { loadMysql, loadSqlite, release } from '../../support/databases/releases';

const VERSION = '0.1.0';
const INITIAL = 1764090000000;
const NOW = new Date('2026-11-28T00:00:00.000Z');
const { domainId, email } = release(VERSION);
const OLDER = {
  ...SERVICE_CONTENT,
  migrations: migrationsOf(SERVICE_CONTENT).filter(({ name }) => name.endsWith(`${INITIAL}`)),
};

type Use = (stores: Stores, accountId: string) => Promise<unknown>;

/** In the order of their migrations. */
const USES: readonly (readonly [what: string, migration: number, use: Use])[] = [
  ['an API key with limits', 1795343000000, ({ apiKeys }, accountId) => apiKeys.add(aLimitedKey(accountId))],
  ['a signed zone', 1795361000000, ({ zoneSignings }) => zoneSignings.add(ZoneSigning.request(domainId, 'nsec', NOW))],
  ['a record of a type that it lacks', 1795363000000, (stores) => add(stores, 'PTR', 'a.example.net')],
  ['an ALIAS record', 1795364000000, (stores) => add(stores, 'ALIAS', 'shop.example.net')],
  ['a viewer', 1795375000000, ({ users }, accountId) => users.add(aMember(accountId, 'viewer'))],
  [
    'an authenticator app',
    1795375100000,
    ({ factors }) => factors.saveTotp({ userId: 'usr_1', sealedSecret: '', lastStep: 0, createdAt: NOW }),
  ],
  ['a passkey', 1795375200000, ({ factors }) => factors.addPasskey(aPasskey('first'))],
  ['a member with tags', 1795410000000, ({ users }, accountId) => users.add(aMember(accountId, 'viewer', ['shops']))],
];

withEachDatabase('an older version on a migrated database', (databases) => {
  let location: DatabaseLocation;
  let database: Database;
  beforeEach(async () => {
    location = await databases.create();
    if (location.kind === 'sqlite') loadSqlite(`${VERSION}-sqlite.sql`, location.file);
    else await loadMysql(`${VERSION}-mysql.sql`, location.url);
    database = new Database(location, SERVICE_CONTENT);
    await database.open();
  });
  afterEach(() => database.close());

  const reopen = async () => {
    await database.close();
    database = new Database(location, SERVICE_CONTENT);
    return database.open();
  };
  const startOlder = async () => {
    const older = new Database(location, OLDER);
    await older.open();
    await older.close();
  };
  const using = async (use: Use) => {
    const [user] = await database.query<{ account_id: string }>('SELECT account_id FROM users WHERE email = ?', [
      email,
    ]);
    const accountId = user?.account_id ?? '';
    const clock = new SystemClock();
    await new SqlUnitOfWork(database, new RandomIds(), clock, clock).run((stores) => use(stores, accountId), accountId);
  };

  it('starts while no feature is in use that it would ignore', async () => {
    await using((stores) => add(stores, 'CAA', '0 issue "ca.example.net"'));
    await using(({ apiKeys }, accountId) => apiKeys.add(aLimitedKey(accountId, false)));
    await using(({ users }, accountId) => users.add(aMember(accountId, 'manager')));

    await expect(startOlder()).resolves.toBeUndefined();
  });

  it.each(USES)(
    'refuses to start from the first use of %s on, and says which migration it lacks',
    async (_what, migration, use) => {
      await startOlder();
      await using(use);

      await expect(startOlder()).rejects.toThrow(refusal(migration));
      // This version knows the migration.
      expect(await reopen()).toEqual([]);
    },
  );

  it('refuses to start after a version without requirements has stored what it would ignore', async () => {
    // Each needs a newer version than those before it.
    for (const [, migration, use] of USES) {
      await using(use);
      await database.transaction(async (manager) => {
        await manager.query('UPDATE schema_requirements SET oldest_migration = ?', [INITIAL]);
        await manager.query("DELETE FROM migrations WHERE name = 'FeatureRequirements1795846000000'");
      });
      await startOlder();

      expect(await reopen()).toEqual(['FeatureRequirements1795846000000']);

      await expect(startOlder()).rejects.toThrow(refusal(migration));
    }
  });

  it('still starts if the transaction of the first use was rolled back', async () => {
    const failed = using(async ({ factors }) => {
      await factors.addPasskey(aPasskey('first'));
      throw new Error('rolled back');
    });

    await expect(failed).rejects.toThrow('rolled back');
    await expect(startOlder()).resolves.toBeUndefined();
  });

  it('refuses for the newest of the features in use, in whatever order they came', async () => {
    await using(({ factors }) => factors.addPasskey(aPasskey('first')));
    await using(({ zoneSignings }) => zoneSignings.add(ZoneSigning.request(domainId, 'nsec', NOW)));

    await expect(startOlder()).rejects.toThrow(refusal(1795375200000));
  });

  it('costs later uses of the feature no write and no wait for a lock', async () => {
    await using(({ factors }) => factors.addPasskey(aPasskey('first')));
    const release = await refuseWritesOfRequirements(location);

    await using(({ factors }) => factors.addPasskey(aPasskey('second')));

    expect(await database.query('SELECT digest FROM passkeys')).toHaveLength(2);
    await release();
  });
});

function refusal(migration: number): string {
  return (
    `a newer version of Namewright has migrated this database, and this version cannot use it: it does not know migration ${migration} ` +
    `(its newest is ${INITIAL}). Start the newer version, or restore the backup from before the upgrade`
  );
}

async function refuseWritesOfRequirements(location: DatabaseLocation): Promise<() => Promise<void>> {
  if (location.kind === 'sqlite') {
    const file = new Sqlite(location.file);
    file.exec(
      "CREATE TRIGGER no_writes BEFORE UPDATE ON schema_requirements BEGIN SELECT RAISE(ABORT, 'no writes'); END",
    );
    file.close();
    return async () => undefined;
  }
  const holder = await createConnection(location.url);
  await holder.query('START TRANSACTION');
  await holder.query('SELECT * FROM schema_requirements FOR UPDATE');
  return () => holder.end();
}

async function add({ zones }: Stores, type: string, content: string): Promise<void> {
  const zone = await zones.lock(domainId);
  if (!zone) throw new Error('the release has no such zone');
  const record = aRecord({ type, name: `new-${type.toLowerCase()}`, content }, `rec_${type}`);
  const change = { added: [record], changed: [], removed: [] };
  await zones.apply([{ zone, change, by: { actor: { kind: 'operator' }, at: NOW } }]);
}

function aLimitedKey(accountId: string, isLimited = true): ApiKey {
  const token = new ApiKeyToken('k'.repeat(12), 's'.repeat(43));
  const limits = isLimited ? { limits: { actions: ['read'] } } : {};
  return ApiKey.issue(token, { accountId, name: 'Limited', scope: 'WRITE', ...limits }, NOW);
}

function aMember(accountId: string, role: 'viewer' | 'manager', tags: readonly string[] | null = null): User {
  const id = tags ? 'with-tags' : role;
  return User.invite({ id: `usr_${id}`, accountId, email: `${id}@example.com`, role, tags }, NOW);
}

function aPasskey(id: string) {
  return { id, userId: 'usr_1', name: id, publicKey: '', counter: 0, transports: [], createdAt: NOW, lastUsedAt: null };
}
