import { LoginRefused, type LoginRefusal } from '../../../../../../src/infrastructure/registry/epp/session/epp-session';
import {
  EppSessionPool,
  type PooledSession,
} from '../../../../../../src/infrastructure/registry/epp/session/epp-session-pool';
import { EppPasswords, passwordsOf } from '../../../../../../src/infrastructure/registry/epp/session/epp-passwords';
import { RecordingLog } from '../../../../../support/fakes/recording-log';

const MINUTE = 60_000;
const UNAVAILABLE = { code: 'REGISTRY_UNAVAILABLE' };

class FakeSession implements PooledSession {
  readonly openedAt = performance.now();
  usable = true;
  keepAlives = 0;
  keepAliveFails = false;
  closed = false;

  async keepAlive(): Promise<void> {
    this.keepAlives += 1;
    if (!this.keepAliveFails) return;
    this.usable = false;
    throw new Error('gone');
  }

  async close(): Promise<void> {
    this.closed = true;
    this.usable = false;
  }
}

/** Opens sessions, after throwing each of `failures` once. */
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

/** Work that a test ends. */
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
const flushTimers = async () => jest.advanceTimersByTimeAsync(0);

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
  await flushTimers();
  return tasks;
}

const useSession = () => pool.use(async (session) => session);

it('opens a session on demand, and reuses it', async () => {
  const first = await useSession();
  const second = await useSession();

  expect(second).toBe(first);
  expect(registry.attempts).toBe(1);
});

it('opens no more sessions than allowed, and serves waiting callers in order', async () => {
  const tasks = await occupy(3);
  const order: number[] = [];
  const waiting = [1, 2, 3].map((number) => pool.use(async () => order.push(number)));
  await flushTimers();
  expect(order).toEqual([]);

  tasks[0]?.finish();
  await Promise.all(waiting);

  expect(order).toEqual([1, 2, 3]);
  expect(registry.attempts).toBe(3);
});

it('keeps its share of the sessions when processes come and go', async () => {
  const [first, second] = await occupy(3);
  pool.shareAmong(2);
  first?.finish();
  second?.finish();
  await flushTimers();
  expect(registry.sessions.filter(({ closed }) => !closed)).toHaveLength(1);

  pool.shareAmong(9);
  await occupy(2);
  expect(registry.attempts).toBe(3);
  pool.shareAmong(1);
  await flushTimers();
  expect(registry.sessions.filter(({ closed }) => !closed)).toHaveLength(3);
});

it('closes idle sessions beyond its share at once', async () => {
  for (const task of await occupy(3)) task.finish();
  await flushTimers();

  pool.shareAmong(3);

  expect(registry.sessions.map(({ closed }) => closed)).toEqual([true, true, false]);
});

it('rejects a caller that waits longer than acquireTimeoutMs for a session', async () => {
  await occupy(3);

  const attempt = failureOf(useSession);
  await jest.advanceTimersByTimeAsync(20_000);

  expect(await attempt).toMatchObject({ ...UNAVAILABLE, details: 'All sessions with the registry are busy' });
});

it('reuses a session after its work failed, and drops an unusable one', async () => {
  await expect(
    pool.use(async () => {
      throw new Error('work failed');
    }),
  ).rejects.toThrow('work failed');
  const session = await useSession();
  expect(registry.attempts).toBe(1);

  session.usable = false;

  expect(await useSession()).not.toBe(session);
});

it('sends keep-alives on idle sessions, and drops one whose keep-alive fails', async () => {
  const session = await useSession();
  await jest.advanceTimersByTimeAsync(3 * MINUTE);
  expect(session.keepAlives).toBe(3);

  session.keepAliveFails = true;
  await jest.advanceTimersByTimeAsync(MINUTE);

  expect(await useSession()).not.toBe(session);
});

it('closes an idle session at its maximum age', async () => {
  const session = await useSession();

  await jest.advanceTimersByTimeAsync(61 * MINUTE);

  expect(session.closed).toBe(true);
  expect(await useSession()).not.toBe(session);
});

it('never repeats a permanently refused login, and logs one error', async () => {
  registry.failures.push(refusal('permanent'));

  await expect(useSession()).rejects.toMatchObject({ ...UNAVAILABLE, details: 'The registry refuses our login' });
  for (let hour = 0; hour < 48; hour += 1) {
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  }

  expect(registry.attempts).toBe(1);
  expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
});

it('attempts one login at a time', async () => {
  registry.failures.push(refusal('permanent'));

  const results = await Promise.allSettled([useSession(), useSession(), useSession()]);

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(registry.attempts).toBe(1);
});

it('keeps using open sessions after another login is refused', async () => {
  const tasks = await occupy(1);
  registry.failures.push(refusal('permanent'));
  const waiting = useSession();
  await flushTimers();

  tasks[0]?.finish();

  expect(await waiting).toBe(registry.sessions[0]);
  expect(registry.attempts).toBe(2);
});

it('uses fewer sessions for five minutes after the session limit is exceeded', async () => {
  const tasks = await occupy(2);
  registry.failures.push(refusal('session_limit'));
  const waiting = useSession();
  await flushTimers();
  tasks[0]?.finish();
  await waiting;
  expect(registry.attempts).toBe(3);

  await occupy(1);
  const stillWaiting = useSession();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(registry.attempts).toBe(3);
  tasks[1]?.finish();
  await stillWaiting;

  await jest.advanceTimersByTimeAsync(5 * MINUTE);
  await occupy(3);
  expect(registry.attempts).toBeGreaterThan(3);
});

it('backs off longer after each failed login, rejects callers meanwhile, and resets after a success', async () => {
  registry.failures.push(new Error('no route'), refusal('temporary'), refusal('session_limit'));

  await expect(useSession()).rejects.toMatchObject({
    ...UNAVAILABLE,
    details: 'The registry cannot be reached',
    retryAfterSeconds: 1,
  });
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(1);
  await jest.advanceTimersByTimeAsync(1_000);
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(2);
  await jest.advanceTimersByTimeAsync(999);
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(2);
  await jest.advanceTimersByTimeAsync(1_001);
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  expect(registry.attempts).toBe(3);
  await jest.advanceTimersByTimeAsync(4_000);
  await useSession();

  expect(registry.attempts).toBe(4);
});

it('logs in again after the back-off also if the clock was set back', async () => {
  registry.failures.push(refusal('temporary'));
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);

  jest.setSystemTime(new Date('2025-12-31T00:00:00Z'));
  await jest.advanceTimersByTimeAsync(1_000);
  await useSession();

  expect(registry.attempts).toBe(2);
});

it('rejects waiting callers if the last session fails during a back-off', async () => {
  const tasks = await occupy(1);
  registry.failures.push(new Error('no route'));
  const attempt = failureOf(useSession);
  await flushTimers();

  registry.sessions[0]!.usable = false;
  tasks[0]?.finish();

  expect(await attempt).toMatchObject(UNAVAILABLE);
});

it('closes idle sessions at once and busy ones on release, and rejects further callers after close', async () => {
  const tasks = await occupy(2);
  tasks[0]?.finish();
  await flushTimers();

  await pool.close();
  expect(registry.sessions.map(({ closed }) => closed)).toEqual([true, false]);
  await expect(useSession()).rejects.toMatchObject(UNAVAILABLE);
  tasks[1]?.finish();
  await flushTimers();

  expect(registry.sessions.map(({ closed }) => closed)).toEqual([true, true]);
});

describe('the passwords of a login', () => {
  const wrong = new LoginRefused('permanent', 2200, 'wrong');

  /** Logs in at a registry that accepts only `accepted`. Returns the passwords that were tried. */
  async function tried(passwords: EppPasswords, accepted: string): Promise<readonly string[]> {
    const sent: string[] = [];
    const open = async (password: string) => {
      sent.push(password);
      if (password !== accepted) throw wrong;
    };
    await passwords.logIn(open).catch((error: unknown) => sent.push(error === wrong ? 'refused' : 'failed'));
    return sent;
  }

  it('are tried from the new one on, and then from the one that was accepted last', async () => {
    const passwords = new EppPasswords(['new', 'current'], () => undefined);

    expect(await tried(passwords, 'current')).toEqual(['new', 'current']);
    expect(await tried(passwords, 'current')).toEqual(['current']);
    expect(await tried(passwords, 'new')).toEqual(['current', 'new']);
    expect(await tried(passwords, 'new')).toEqual(['new']);
    expect(await tried(passwords, 'another')).toEqual(['new', 'current', 'refused']);
  });

  it('are read again before each login, and kept if they cannot be read', async () => {
    let secret: string | undefined = 'one';
    const passwords = new EppPasswords(['at start'], () => (secret === undefined ? undefined : passwordsOf(secret)));

    expect(await tried(passwords, 'two')).toEqual(['one', 'refused']);
    expect(passwords.haveChanged).toBe(false);
    secret = 'two\r\none\r\n';
    expect(passwords.haveChanged).toBe(true);
    expect(await tried(passwords, 'two')).toEqual(['two']);
    secret = undefined;
    expect(await tried(passwords, 'one')).toEqual(['two', 'one']);
  });
});
