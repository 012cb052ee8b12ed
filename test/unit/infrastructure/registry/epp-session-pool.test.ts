import { LoginRefused, type LoginRefusal } from '../../../../src/infrastructure/registry/epp/session/epp-session';
import {
  EppSessionPool,
  type PooledSession,
} from '../../../../src/infrastructure/registry/epp/session/epp-session-pool';
import { RecordingLog } from '../../../support/fakes/recording-log';

const MINUTE = 60_000;
const UNAVAILABLE = { code: 'REGISTRY_UNAVAILABLE' };

class FakeSession implements PooledSession {
  readonly openedAt = Date.now();
  usable = true;
  hellos = 0;
  helloFails = false;
  closed = false;

  async keepAlive(): Promise<void> {
    this.hellos += 1;
    if (!this.helloFails) return;
    this.usable = false;
    throw new Error('gone');
  }

  async close(): Promise<void> {
    this.closed = true;
    this.usable = false;
  }
}

/** A registry that opens sessions, or fails as often as `failures` says. */
class FakeRegistry {
  readonly sessions: FakeSession[] = [];
  readonly failures: Error[] = [];
  attempts = 0;

  readonly open = async (): Promise<FakeSession> => {
    this.attempts += 1;
    const failure = this.failures.shift();
    if (failure) throw failure;
    const session = new FakeSession();
    this.sessions.push(session);
    return session;
  };
}

/** Work that ends when it is told to. */
class Task {
  finish: () => void = () => undefined;
  readonly work = async (): Promise<void> =>
    new Promise((resolve) => {
      this.finish = resolve;
    });
}

const refusal = (kind: LoginRefusal) => new LoginRefused(kind, 2500, kind);
const failureOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );
const settle = async () => jest.advanceTimersByTimeAsync(0);

let registry: FakeRegistry;
let log: RecordingLog;
let pool: EppSessionPool<FakeSession>;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
  registry = new FakeRegistry();
  log = new RecordingLog();
  pool = new EppSessionPool(
    registry.open,
    { registry: 'example', maxSessions: 3, keepAliveMs: MINUTE, lifetimeMs: 60 * MINUTE, acquireTimeoutMs: 20_000 },
    log,
  );
});
afterEach(async () => {
  await pool.close();
  jest.useRealTimers();
});

async function occupy(count: number): Promise<Task[]> {
  const tasks = Array.from({ length: count }, () => new Task());
  for (const task of tasks) pool.use(task.work).catch(() => undefined);
  await settle();
  return tasks;
}

const used = () => pool.use(async (session) => session);

it('opens a session when one is needed, and uses it again', async () => {
  const first = await used();
  const second = await used();

  expect(second).toBe(first);
  expect(registry.attempts).toBe(1);
});

it('opens no more sessions than allowed, and serves those who wait in their order', async () => {
  const tasks = await occupy(3);
  const order: number[] = [];
  const waiting = [1, 2, 3].map((number) => pool.use(async () => order.push(number)));
  await settle();
  expect(order).toEqual([]);

  tasks[0]?.finish();
  await Promise.all(waiting);

  expect(order).toEqual([1, 2, 3]);
  expect(registry.attempts).toBe(3);
});

it('turns away whoever has waited for a session for too long', async () => {
  await occupy(3);

  const attempt = failureOf(used);
  await jest.advanceTimersByTimeAsync(20_000);

  expect(await attempt).toMatchObject({ ...UNAVAILABLE, details: 'All sessions with the registry are busy' });
});

it('gives a session back that its work has failed with, and drops one that is over', async () => {
  await expect(
    pool.use(async () => {
      throw new Error('work failed');
    }),
  ).rejects.toThrow('work failed');
  const session = await used();
  expect(registry.attempts).toBe(1);

  session.usable = false;

  expect(await used()).not.toBe(session);
});

it('says hello on what has been idle, and drops what does not answer', async () => {
  const session = await used();
  await jest.advanceTimersByTimeAsync(3 * MINUTE);
  expect(session.hellos).toBe(3);

  session.helloFails = true;
  await jest.advanceTimersByTimeAsync(MINUTE);

  expect(await used()).not.toBe(session);
});

it('logs out of a session whose time is over', async () => {
  const session = await used();

  await jest.advanceTimersByTimeAsync(61 * MINUTE);

  expect(session.closed).toBe(true);
  expect(await used()).not.toBe(session);
});

it('never repeats a login that was refused, and calls for a person once', async () => {
  registry.failures.push(refusal('refused'));

  await expect(used()).rejects.toMatchObject({ ...UNAVAILABLE, details: 'The registry refuses our login' });
  for (let hour = 0; hour < 48; hour += 1) {
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  }

  expect(registry.attempts).toBe(1);
  expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
});

it('tries no second login beside a first that may be refused', async () => {
  registry.failures.push(refusal('refused'));

  const results = await Promise.allSettled([used(), used(), used()]);

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(registry.attempts).toBe(1);
});

it('goes on with the sessions that it has where a further login is refused', async () => {
  const tasks = await occupy(1);
  registry.failures.push(refusal('refused'));
  const waiting = used();
  await settle();

  tasks[0]?.finish();

  expect(await waiting).toBe(registry.sessions[0]);
  expect(registry.attempts).toBe(2);
});

it('makes do with fewer sessions for a while where the registry has enough of ours', async () => {
  const tasks = await occupy(2);
  registry.failures.push(refusal('crowded'));
  const waiting = used();
  await settle();
  tasks[0]?.finish();
  await waiting;
  expect(registry.attempts).toBe(3);

  await occupy(1);
  const stillWaiting = used();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(registry.attempts).toBe(3);
  tasks[1]?.finish();
  await stillWaiting;

  await jest.advanceTimersByTimeAsync(5 * MINUTE);
  await occupy(3);
  expect(registry.attempts).toBeGreaterThan(3);
});

it('waits longer after each failure, tells whoever asks meanwhile, and forgets about it once it succeeds', async () => {
  registry.failures.push(new Error('no route'), refusal('passing'), refusal('crowded'));

  await expect(used()).rejects.toMatchObject({
    ...UNAVAILABLE,
    details: 'The registry cannot be reached',
    retryAfterSeconds: 1,
  });
  await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(1);
  await jest.advanceTimersByTimeAsync(1_000);
  await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(2);
  await jest.advanceTimersByTimeAsync(999);
  await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(2);
  await jest.advanceTimersByTimeAsync(1_001);
  await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(3);
  await jest.advanceTimersByTimeAsync(4_000);
  await used();

  expect(registry.attempts).toBe(4);
});

it('turns those away who wait where the last session breaks during a pause', async () => {
  const tasks = await occupy(1);
  registry.failures.push(new Error('no route'));
  const attempt = failureOf(used);
  await settle();

  registry.sessions[0]!.usable = false;
  tasks[0]?.finish();

  expect(await attempt).toMatchObject(UNAVAILABLE);
});

it('closes what is idle at once, what is lent when it comes back, and lends nothing more', async () => {
  const tasks = await occupy(2);
  tasks[0]?.finish();
  await settle();

  await pool.close();
  expect(registry.sessions.map(({ closed }) => closed)).toEqual([true, false]);
  await expect(used()).rejects.toMatchObject(UNAVAILABLE);
  tasks[1]?.finish();
  await settle();

  expect(registry.sessions.map(({ closed }) => closed)).toEqual([true, true]);
});
