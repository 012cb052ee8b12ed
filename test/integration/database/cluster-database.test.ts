import type { EntityManager } from 'typeorm';
import { StorageUnavailable } from '../../../src/application/ports/storage/storage-unavailable';
import type { AccountEvent } from '../../../src/domain/access/events/account-event';
import type { EventPlace } from '../../../src/domain/access/events/event-id';
import { SqlEventFeed } from '../../../src/infrastructure/persistence/events/sql-event-feed';
import { SqlEventLog } from '../../../src/infrastructure/persistence/events/sql-event-log';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';
import { Database } from '../../../src/infrastructure/persistence/database/database';
import { RecordingLog } from '../../support/fakes/recording-log';
import { DatabaseReadiness } from '../../../src/infrastructure/persistence/database-readiness';
import { SERVICE_CONTENT } from '../../../src/infrastructure/persistence/service-content';
import { GALERA_MISSING, startGalera, type GaleraCluster } from '../../support/databases/galera';
import { describeOrSkip } from '../../support/describe-or-skip';

const ROUNDS = 40;
/** Much longer than the evs.* settings of the test cluster need to notice that a majority is gone. */
const NOTICED_WITHIN_MS = 120_000;

/** The house's rule for locks: FOR UPDATE first, then read and write what depends on it. */
async function demoteUnlessLast(manager: EntityManager, id: number): Promise<void> {
  const owners = await manager.query<{ id: number }[]>('SELECT id FROM owners WHERE is_owner = 1 FOR UPDATE');
  if (owners.length > 1) await manager.query('UPDATE owners SET is_owner = 0 WHERE id = ?', [id]);
}

async function queueUnlessBusy(manager: EntityManager, id: string): Promise<void> {
  await manager.query('SELECT id FROM names WHERE id = 1 FOR UPDATE');
  const [open] = await manager.query<object[]>('SELECT id FROM jobs WHERE name_id = 1 AND is_done = 0');
  if (!open) await manager.query('INSERT INTO jobs (id, name_id, is_done) VALUES (?, 1, 0)', [id]);
}

/** Each change depends on the one before it, so their numbers are in commit order. */
async function appendNext(manager: EntityManager): Promise<void> {
  const [last] = await manager.query<{ done: number }[]>('SELECT id, done FROM changes WHERE id = 1 FOR UPDATE');
  const number = (last?.done ?? 0) + 1;
  await manager.query('UPDATE changes SET done = ? WHERE id = 1', [number]);
  await new SqlEventLog(manager, new SystemClock()).append({
    accountId: 'acc_1',
    at: new Date(),
    actor: { kind: 'service' },
    type: 'domain.changed',
    domain: null,
    data: { number },
  });
}

/** Reads on from the last event until it has so many. */
async function readEvents(feed: SqlEventFeed, count: number): Promise<readonly AccountEvent[]> {
  const events: AccountEvent[] = [];
  let after: EventPlace | undefined;
  while (events.length < count) {
    const page = await feed.read('acc_1', {}, 7, after);
    if ('removedTo' in page) throw new Error('the position is not in the feed');
    events.push(...page.events);
    after = { feed: page.feed, position: page.readTo };
  }
  return events;
}

async function eventually(work: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + NOTICED_WITHIN_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

describeOrSkip(GALERA_MISSING)('a Galera cluster with a writer on every node', () => {
  let cluster: GaleraCluster;
  let databases: Database[];

  beforeAll(async () => {
    cluster = await startGalera();
    const name = await cluster.createDatabase();
    databases = cluster.nodes.map((node) => new Database({ kind: 'mysql', url: node.url(name) }, SERVICE_CONTENT));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await cluster.stop();
  });

  const onEach = <T>(work: (database: Database, index: number) => Promise<T>) => Promise.all(databases.map(work));
  const first = () => databases[0] as Database;

  it('is migrated by one of the processes that start together', async () => {
    const migrated = await onEach((database) => database.open());

    expect(migrated.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it('shows on every node what any node has committed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [writer, reader] = [databases[round % 3], databases[(round + 1) % 3]] as [Database, Database];
      await writer.transaction((manager) =>
        manager.query('REPLACE INTO write_checks (id, checked_at, filler) VALUES (90, ?, "")', [round]),
      );

      expect(await reader.query('SELECT checked_at FROM write_checks WHERE id = 90')).toEqual([{ checked_at: round }]);
    }
  });

  it('never lets two nodes hold one row locked, although neither writes that row', async () => {
    await first().transaction(async (manager) => {
      await manager.query('CREATE TABLE owners (id INTEGER PRIMARY KEY, is_owner INTEGER NOT NULL) ENGINE=InnoDB');
      await manager.query('CREATE TABLE names (id INTEGER PRIMARY KEY) ENGINE=InnoDB');
      await manager.query(
        'CREATE TABLE jobs (id VARCHAR(40) PRIMARY KEY, name_id INTEGER NOT NULL, is_done INTEGER NOT NULL) ENGINE=InnoDB',
      );
      await manager.query('INSERT INTO names VALUES (1)');
    });
    const owners: number[] = [];
    const jobs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await first().transaction(async (manager) => {
        await manager.query('REPLACE INTO owners VALUES (0, 1), (1, 1), (2, 1)');
        await manager.query('DELETE FROM jobs');
      });
      await onEach((database, index) => database.transaction((manager) => demoteUnlessLast(manager, index)));
      await onEach((database, index) => database.transaction((manager) => queueUnlessBusy(manager, `${index}`)));
      owners.push((await first().query('SELECT id FROM owners WHERE is_owner = 1')).length);
      jobs.push((await first().query('SELECT id FROM jobs')).length);
    }

    expect(new Set(owners)).toEqual(new Set([1]));
    expect(new Set(jobs)).toEqual(new Set([1]));
  });

  it('has the events of an account in commit order on every node, although all nodes write, read and number them', async () => {
    await first().transaction(async (manager) => {
      await manager.query('CREATE TABLE changes (id INTEGER PRIMARY KEY, done INTEGER NOT NULL) ENGINE=InnoDB');
      await manager.query('INSERT INTO changes VALUES (1, 0)');
    });
    const expected = Array.from({ length: ROUNDS * databases.length }, (_item, index) => index + 1);

    const [, ...readers] = await Promise.all([
      onEach(async (database) => {
        for (let round = 0; round < ROUNDS; round += 1) await database.transaction(appendNext);
      }),
      ...databases.map((database) => readEvents(new SqlEventFeed(database), expected.length)),
    ]);

    expect(readers.map((events) => events.map(({ position }) => position))).toEqual(readers.map(() => expected));
    expect(readers.map((events) => events.map(({ data }) => data['number']))).toEqual(readers.map(() => expected));
  });

  it('is unavailable and not ready on a node without the majority, and recovers without a restart', async () => {
    const others = cluster.nodes.slice(1);
    others.forEach((node) => node.freeze());
    try {
      const readiness = new DatabaseReadiness(first(), new SystemClock(), new RecordingLog());
      const deadline = Date.now() + NOTICED_WITHIN_MS;
      let failure: unknown;
      while (failure === undefined && Date.now() < deadline)
        failure = await readiness.check().then(
          () => undefined,
          (error: unknown) => error,
        );

      expect(failure).toBeInstanceOf(StorageUnavailable);
      await expect(first().query('SELECT id FROM names')).rejects.toBeInstanceOf(StorageUnavailable);
    } finally {
      others.forEach((node) => node.thaw());
    }
    await eventually(() =>
      first().transaction((manager) => manager.query('UPDATE owners SET is_owner = 1 WHERE id = 0')),
    );
  });
});
