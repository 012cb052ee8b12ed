import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { SignIn } from '../../src/application/access/sign-in/sign-in';
import { LimitsStoreProbe } from '../../src/application/ports/access/rate-limits-and-usage';
import { ReplicaWatch } from '../../src/application/shared/replica-watch';
import { LimitsStore } from '../../src/infrastructure/limits/limits-store';
import { SharedRateLimiter } from '../../src/infrastructure/limits/shared-rate-limiter';
import { breakerInStore, reserveInStore } from '../../src/infrastructure/limits/stored-registry-calls';
import { Database } from '../../src/infrastructure/persistence/database/database';
import { SERVICE_CONTENT } from '../../src/infrastructure/persistence/service-content';
import { SqlReplicas } from '../../src/infrastructure/persistence/sql-replicas';
import { reserveInDatabase } from '../../src/infrastructure/persistence/registration/sql-call-reservations';
import type { ReserveCalls } from '../../src/infrastructure/registry/routing/shared-call-rate';
import { networkOf } from '../../src/infrastructure/system/network-of';
import { rateLimiterContract } from '../contract/rate-limiter.contract';
import { MYSQL_MISSING, startMysql, type MysqlServer } from '../support/databases/mariadb';
import { REDIS_MISSING, startRedis, type RedisServer } from '../support/databases/redis';
import { describeOrSkip } from '../support/describe-or-skip';
import { RecordingLog } from '../support/fakes/recording-log';
import { api, startService, type TestService } from '../support/service/service';

const SECRET = 'pass word@1';
const AWAY = 'the limits store does not respond: this process counts by itself until it is back';
const BACK = 'the limits store responds again';

const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);

/** Reserves one call after another by two processes, and returns the milliseconds that they have to wait. */
const waits = async (reserve: ReserveCalls, registry: string) => {
  const first = await reserve(registry, 1, 60);
  return [first, await reserve(registry, 1, 1), await reserve(`other than ${registry}`, 1, 1)];
};

/** Reserves an hour, as if the clock had been set back by that, and returns the milliseconds that the next call has to wait. */
const waitAfterHour = async (reserve: ReserveCalls) => {
  await reserve('one', 1, 3_600);
  return reserve('one', 1, 1);
};

describeOrSkip(MYSQL_MISSING ?? REDIS_MISSING)('limits over all replicas', () => {
  let redis: RedisServer;
  let mysql: MysqlServer;
  let databaseUrl: string;
  const open: LimitsStore[] = [];
  const log = new RecordingLog();

  beforeAll(async () => {
    [redis, mysql] = await Promise.all([startRedis(SECRET), startMysql()]);
    databaseUrl = await mysql.createDatabase();
  });
  afterAll(async () => {
    await Promise.all([redis.kill(), mysql.stop()]);
  });
  afterEach(() => {
    for (const store of open.splice(0)) store.close();
    log.entries.length = 0;
  });

  let serial = 0;
  const storeOf = (url = redis.url, hashKey = Buffer.from(`key ${(serial += 1)}`)) => {
    const store = new LimitsStore({ url, hashKey }, log);
    open.push(store);
    return store;
  };
  const messages = () => log.entries.map(({ message }) => message);

  rateLimiterContract('the rate limiter with a limits store', (limit) => ({
    limiter: new SharedRateLimiter('test', { limit, windowSeconds: 60 }, storeOf()),
    passSeconds: async (seconds) => {
      const client = await createClient({ url: redis.url }).connect();
      for (const key of await client.keys('*')) {
        const left = Math.ceil((await client.pTTL(key)) / 1_000) - seconds;
        if (left > 0) await client.expire(key, left);
        else await client.del(key);
      }
      client.destroy();
    },
  }));

  it('keep addresses and e-mails out of the store, and services with other secret keys apart', async () => {
    const key = Buffer.from('one service');
    const limiters = [storeOf(redis.url, key), storeOf(redis.url, key), storeOf()].map(
      (store) => new SharedRateLimiter('mail', { limit: 5, windowSeconds: 60, groupOf: networkOf }, store),
    );
    const remaining: (number | undefined)[] = [];

    for (const limiter of limiters) remaining.push((await limiter.consume('ada@example.com'))?.remaining);

    const client = await createClient({ url: redis.url }).connect();
    expect((await client.keys('*')).join()).not.toContain('ada');
    client.destroy();
    expect(remaining).toEqual([4, 3, 4]);
  });

  it('are counted in the process while the store is killed or hangs, with one line in the log', async () => {
    const store = storeOf();
    const limiter = new SharedRateLimiter('test', { limit: 3, windowSeconds: 60 }, store);
    const consume = async () => (await limiter.consume('a'))?.remaining;
    expect(await consume()).toBe(2);

    await redis.kill();
    expect([await consume(), await consume(), await consume()]).toEqual([2, 1, 0]);
    expect(await store.responds()).toBe(false);
    expect(messages()).toEqual([AWAY]);

    await redis.restart();
    while (!(await store.responds())) await pause(20);
    expect(await consume()).toBe(2);
    expect(messages()).toEqual([AWAY, BACK]);

    redis.freeze();
    expect([await consume(), await consume()]).toEqual([0, 0]);
    expect(messages()).toEqual([AWAY, BACK, AWAY]);
    redis.thaw();
    while (!(await store.responds())) await pause(20);
    expect(messages()).toEqual([AWAY, BACK, AWAY, BACK]);
  });

  it('are not charged later for calls that a store missed before its first connection', async () => {
    await redis.kill();
    const store = storeOf();
    const write = () => store.run("redis.call('incr', KEYS[1])", 'late', []).catch(() => 'away');
    const calls = await Promise.all([write(), write()]);
    while (calls.length < 5) {
      calls.push(await write());
      await pause(300);
    }

    await redis.restart();
    while (!(await store.responds())) await pause(20);
    expect(calls).toEqual(times(5, 'away'));
    expect(await store.run("return redis.call('exists', KEYS[1])", 'late', [])).toBe(0);
  });

  it('are known to be counted in the process while the store refuses writes', async () => {
    const client = await createClient({ url: redis.url }).connect();
    const store = storeOf();
    const states = [await store.responds()];

    await client.configSet('maxmemory', '1');
    states.push(await store.responds());
    await client.configSet('maxmemory', '0');
    client.destroy();
    while (!(await store.responds())) await pause(20);

    expect(states).toEqual([true, false]);
  });

  it('put no password into the log if the store refuses it', async () => {
    const store = storeOf(redis.url.replace(encodeURIComponent(SECRET), 'guessed-password'));

    expect(await store.responds()).toBe(false);

    expect(messages()).toEqual([AWAY]);
    expect(JSON.stringify(log.entries)).not.toMatch(/guessed|pass.?word@1/);
  });

  describe('of two replicas', () => {
    let replicas: [TestService, TestService];

    beforeAll(async () => {
      const settings = {
        DATABASE_URL: databaseUrl,
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        LIMITS_STORE: redis.url,
        RATE_LIMIT_PER_MINUTE: '10',
        FAILED_AUTH_PER_MINUTE: '6',
        SIGN_IN_ATTEMPTS: '4',
      };
      replicas = [await startService(settings), await startService(settings)];
    });
    afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

    const alternating = async (count: number, call: (replica: TestService) => Promise<unknown>) => {
      const results: unknown[] = [];
      for (let index = 0; index < count; index += 1) results.push(await call(replicas[index % 2 === 0 ? 0 : 1]));
      return results;
    };

    it('hold for requests of an account', async () => {
      const key = await replicas[0].key(await replicas[0].account());

      const statuses = await alternating(13, async (replica) => (await api(replica, key).get('/api/domains')).status);

      expect(statuses).toEqual([...times(10, 200), ...times(3, 429)]);
    });

    it('hold for failed authentications of an address', async () => {
      const statuses = await alternating(9, async (replica) => (await api(replica, 'no').get('/api/domains')).status);

      expect(statuses).toEqual([...times(6, 401), ...times(3, 429)]);
    });

    it('hold for sign-in attempts with an e-mail address', async () => {
      const attempt = { email: 'ada@example.com', password: 'wrong', clientAddress: '192.0.2.1', marks: [] };

      const codes = await alternating(6, (replica) =>
        replica.container
          .get(SignIn)
          .execute(attempt)
          .catch(({ code }: { readonly code: string }) => code),
      );

      expect(new Set(codes.slice(0, 4)).size).toBe(1);
      expect(codes.slice(4)).toEqual(times(2, 'RATE_LIMIT_EXCEEDED'));
      expect(codes[0]).not.toBe('RATE_LIMIT_EXCEEDED');
    });

    it('leave a replica ready without the store, and /readyz says so', async () => {
      const ready = async () => {
        const { status, body } = await api(replicas[0], 'no').get('/readyz');
        return [status, body];
      };
      expect(await ready()).toEqual([200, { status: 'ready', limits_store: 'ok' }]);

      // The store has responded to the probe of that request: the next one is the first without a response.
      await replicas[0].container.get<LimitsStoreProbe>(LimitsStoreProbe).responds();
      redis.freeze();
      // A request that waited for the store would find it away.
      expect(await ready()).toEqual([200, { status: 'ready', limits_store: 'ok' }]);
      redis.thaw();
      await redis.kill();
      expect(await ready()).toEqual([200, { status: 'ready', limits_store: 'away' }]);
      const key = await replicas[0].key(await replicas[0].account());
      const statuses = await alternating(4, async (replica) => (await api(replica, key).get('/api/domains')).status);
      await redis.restart();

      expect(statuses).toEqual(times(4, 200));
    });
  });

  describe('on calls to a registry', () => {
    it('hold in the store', async () => {
      const [first, second, other] = await waits(reserveInStore(storeOf()), 'one');

      expect([first, other]).toEqual([0, 0]);
      expect(second).toBeGreaterThan(0);
      expect(second).toBeLessThanOrEqual(60_000);
    });

    it('hold in MySQL without a store', async () => {
      const database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
      await database.open();

      const [first, second, other] = await waits(reserveInDatabase(database), 'one');
      await database.close();

      expect([first, other]).toEqual([0, 0]);
      expect(second).toBeGreaterThan(0);
      expect(second).toBeLessThanOrEqual(60_000);
    });

    it('are not held back for long after the clock of the store or of MySQL was set back', async () => {
      const database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
      await database.open();
      const dueIn = [await waitAfterHour(reserveInStore(storeOf())), await waitAfterHour(reserveInDatabase(database))];
      await database.close();

      expect(dueIn).toEqual([0, 0]);
    });

    it('are reserved by processes that call a registry for the first time, all at once', async () => {
      const url = await mysql.createDatabase();
      const databases = [1, 2, 3, 4].map(() => new Database({ kind: 'mysql', url }, SERVICE_CONTENT));
      for (const database of databases) await database.open();

      // One in ten seconds, so that the places differ by more than the time that the processes need.
      const dueIn = await Promise.all(databases.map((database) => reserveInDatabase(database)('one', 0.1, 1)));
      await Promise.all(databases.map((database) => database.close()));

      expect(new Set(dueIn.map((ms) => Math.round(ms / 10_000)))).toEqual(new Set([0, 1, 2, 3]));
    });

    it('stop in all processes while the circuit breaker of one is open, and in none while the store is away', async () => {
      const key = Buffer.from('breakers');
      const [one, other] = [1, 2].map(() => breakerInStore(storeOf(redis.url, key), 'one'));

      one?.open(50_000, 10_000);
      const openFor = async () => (await other?.openForMs()) ?? 0;
      while ((await openFor()) === 0) await pause(10);
      expect(await openFor()).toBeLessThanOrEqual(60_000);
      other?.open(1_000, 0);
      await pause(50);
      expect(await openFor()).toBeGreaterThan(40_000);
      expect(await one?.openForMs()).toBe(0);
      other?.close();
      while ((await openFor()) !== 0) await pause(10);

      one?.open(50_000, 10_000);
      await redis.kill();
      expect(await openFor()).toBe(0);
      await redis.restart();
    });
  });

  it('are missed with a warning, once, by each of several replicas that have no store; workers are counted only', async () => {
    const database = new Database({ kind: 'mysql', url: await mysql.createDatabase() }, SERVICE_CONTENT);
    await database.open();
    const logs = [new RecordingLog(), new RecordingLog(), new RecordingLog(), new RecordingLog()];
    const counts: (number | undefined)[] = [];
    const [first, second, killed, worker] = logs.map((each, index) => {
      const watch = new ReplicaWatch(new SqlReplicas(database), each);
      const onCount = (count: number | undefined) => void (counts[index] = count);
      return {
        run: () => watch.run(),
        stop: () => watch.stop(),
        start: (isWorker = false) => watch.start({ isWorker, countsAlone: !isWorker, onCount }, 3_600_000),
      };
    });
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await first?.run();
        await second?.run();
      }
    };
    const warnings = () => logs.map(({ entries }) => entries.length);

    killed?.start();
    await killed?.run();
    worker?.start(true);
    await worker?.run();
    first?.start();
    await first?.run();
    await worker?.run();
    await first?.run();
    expect(warnings()).toEqual([0, 0, 0, 0]);
    expect(counts[0]).toBeUndefined();
    await first?.run();
    expect(counts[0]).toBe(3);
    await worker?.stop();
    second?.start();
    await rounds(17);

    expect(warnings()).toEqual([1, 1, 0, 0]);
    expect(counts.slice(0, 2)).toEqual([2, 2]);
    expect(logs[0]?.entries[0]).toMatchObject({ level: 'warn', message: expect.stringContaining('Set LIMITS_STORE') });
    expect(await database.query('SELECT COUNT(*) AS count FROM replicas')).toEqual([{ count: 2 }]);
    await first?.stop();
    await second?.stop();
    expect(await database.query('SELECT COUNT(*) AS count FROM replicas')).toEqual([{ count: 0 }]);
    await database.close();
  });
});
