import {
  RegistryNotContacted,
  RegistryUnavailable,
  RegistryInconclusive,
} from '../../../../../src/application/ports/registry/registry-errors';
import { RegistryGuard, type SharedBreaker } from '../../../../../src/infrastructure/registry/routing/registry-guard';
import { DEFAULT_LIMITS } from '../../../../../src/infrastructure/registry/routing/registry-limits';
import { RecordingLog } from '../../../../support/fakes/recording-log';
import type { ScriptedRegistry } from '../../../../support/fakes/scripted-registry';
import { name, routerTo, scripted, years } from '../../../../support/registries/scripted-router';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a registry that does not respond', () => {
  const release: (() => void)[] = [];
  const hanging = (): ScriptedRegistry => {
    const registry = scripted('com');
    registry.hold('held.com');
    for (const command of ['check', 'check', 'check', 'setTransferLock'] as const) {
      const late = registry.next(command).respondsLate();
      release.push(() => late.release());
    }
    return registry;
  };
  afterEach(() => {
    for (const respond of release.splice(0)) respond();
  });

  it('makes calls fail after their time limit, with an unknown outcome', async () => {
    const router = routerTo({ hanging: hanging() }, { queryMs: 20, commandMs: 20 });

    await expect(router.check([name('a.com')])).rejects.toMatchObject({
      code: 'REGISTRY_UNAVAILABLE',
      details: 'The registry did not respond in time',
    });
    await expect(router.setTransferLock(name('held.com'), true, 'id-1')).rejects.toBeInstanceOf(RegistryUnavailable);
  });

  it('leaves the outcome unknown if an adapter notices the end of the time limit first', async () => {
    const guard = new RegistryGuard('slow', { ...DEFAULT_LIMITS, commandMs: 20 }, new RecordingLog());

    const error: unknown = await guard
      .command(async () => {
        for (const until = performance.now() + 30; performance.now() < until;);
        throw new RegistryNotContacted('not sent');
      })
      .catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(error).not.toBeInstanceOf(RegistryNotContacted);
  });

  it('does not delay calls to other registries', async () => {
    const router = routerTo(
      { hanging: hanging(), other: scripted('de') },
      { concurrency: 1, queue: 2, queryMs: 60_000 },
    );
    const waiting = [1, 2, 3].map(() => router.check([name('a.com')]));

    const [result] = await router.check([name('a.de')]);

    expect(result?.available).toBe(true);
    await expect(router.check([name('b.com')])).rejects.toMatchObject({ details: "The registry's queue is full" });
    for (const late of release.splice(0)) late();
    expect(await Promise.all(waiting)).toHaveLength(3);
  });

  it('opens the circuit breaker after consecutive failures, and closes it after a trial call', async () => {
    const log = new RecordingLog();
    const registry = scripted('com');
    const router = routerTo({ registry }, { failures: 2, retryAfterMs: 60_000 }, log);
    const failedAt = Date.now();
    registry.goDown();
    await expect(router.check([name('a.com')])).rejects.toBeInstanceOf(RegistryUnavailable);
    await expect(router.check([name('a.com')])).rejects.toBeInstanceOf(RegistryUnavailable);
    const sent = registry.calls.length;

    await expect(router.check([name('a.com')])).rejects.toMatchObject({
      details: 'The registry does not respond',
    });

    expect(registry.calls).toHaveLength(sent);
    registry.comeUp();
    jest.spyOn(Date, 'now').mockReturnValue(failedAt + 10 * 60_000);
    expect(await router.check([name('a.com')])).toMatchObject([{ available: true }]);
    expect(log.entries.map(({ level, facts }) => [level, facts])).toEqual([
      ['error', { registry: 'registry' }],
      ['info', { registry: 'registry' }],
    ]);
  });

  it('never receives a command that timed out in the queue', async () => {
    const registry = hanging();
    const router = routerTo({ registry }, { concurrency: 1, queryMs: 60_000, commandMs: 10 });
    const slow = router.check([name('a.com')]);

    const rejected = await router.setTransferLock(name('held.com'), true, 'id-1').catch((error: unknown) => error);
    for (const late of release.splice(0)) late();
    await slow;
    await new Promise(setImmediate);

    expect(rejected).toBeInstanceOf(RegistryNotContacted);
    expect(registry.callsOf('setTransferLock')).toEqual([]);
  });

  it('has rejected calls state when to retry while the circuit breaker is open', async () => {
    const guard = new RegistryGuard(
      'registry',
      { ...DEFAULT_LIMITS, failures: 1, retryAfterMs: 30_000 },
      new RecordingLog(),
    );
    await expect(guard.query(() => Promise.reject(new RegistryUnavailable()))).rejects.not.toBeInstanceOf(
      RegistryNotContacted,
    );

    const error = await guard.query(async () => 'result').catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(RegistryNotContacted);
    expect(error).toMatchObject({ retryAfterSeconds: 30 });
  });

  it('is not called by any process while the circuit breaker of one is open', async () => {
    let openUntil = 0;
    const breaker: SharedBreaker = {
      openForMs: async () => Math.max(0, openUntil - Date.now()),
      open: (ms) => void (openUntil = Date.now() + ms),
      close: () => void (openUntil = 0),
    };
    const limits = { ...DEFAULT_LIMITS, failures: 1, retryAfterMs: 30_000 };
    const [one, other] = [1, 2].map(() => new RegistryGuard('registry', limits, new RecordingLog(), { breaker }));
    await expect(one?.query(() => Promise.reject(new RegistryUnavailable()))).rejects.toBeInstanceOf(
      RegistryUnavailable,
    );

    const error = await other?.query(async () => 'result').catch((reason: unknown) => reason);
    one?.closeBreaker();

    expect(error).toBeInstanceOf(RegistryNotContacted);
    expect(error).toMatchObject({ retryAfterSeconds: 30, details: 'The registry does not respond' });
    expect(await other?.query(async () => 'result')).toBe('result');
  });

  it('shows calls that wait for the rate as waiting', async () => {
    jest.useFakeTimers();
    const guard = new RegistryGuard('registry', { ...DEFAULT_LIMITS, perSecond: 1 }, new RecordingLog());
    const late = new Promise<void>((resolve) => release.push(resolve));
    const calls = [1, 2, 3].map(() => guard.query(() => late));
    await jest.advanceTimersByTimeAsync(1);

    expect(guard.status()).toMatchObject({ running: 1, waiting: 2 });

    await jest.advanceTimersByTimeAsync(2_000);
    for (const respond of release.splice(0)) respond();
    await Promise.all(calls);
    expect(guard.status()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('shows its circuit breaker as half open, with or without a call, once a trial call may be sent', async () => {
    jest.useFakeTimers();
    const limits = { ...DEFAULT_LIMITS, failures: 1, retryAfterMs: 10_000 };
    const guard = new RegistryGuard('registry', limits, new RecordingLog());
    await guard.query(() => Promise.reject(new RegistryUnavailable('gone'))).catch(() => undefined);

    const states = [guard.status().breaker];
    jest.advanceTimersByTime(10_000);
    states.push(guard.status().breaker);
    jest.useRealTimers();

    expect(states).toEqual(['open', 'half open']);
  });

  it('is called at once after the circuit breaker is closed', async () => {
    const log = new RecordingLog();
    const guard = new RegistryGuard('registry', { ...DEFAULT_LIMITS, failures: 1, retryAfterMs: 60_000 }, log);
    await expect(guard.query(() => Promise.reject(new RegistryUnavailable()))).rejects.toBeInstanceOf(
      RegistryUnavailable,
    );
    await expect(guard.query(async () => 'result')).rejects.toMatchObject({
      details: 'The registry does not respond',
    });

    guard.closeBreaker();

    expect(await guard.query(async () => 'result')).toBe('result');
    expect(log.entries.map(({ level }) => level)).toEqual(['error', 'info']);
  });

  it('does not open the circuit breaker if its responses about one name are inconclusive', async () => {
    const registry = scripted('com');
    const router = routerTo({ registry }, { failures: 2 });

    for (let time = 0; time < 5; time += 1) {
      registry.next('check').failsWith(new RegistryInconclusive('Command failed (2400)'));
      await expect(router.check([name('poison.com')])).rejects.toMatchObject({
        code: 'REGISTRY_UNAVAILABLE',
        details: 'Command failed (2400)',
      });
    }

    expect(await router.check([name('a.com')])).toMatchObject([{ available: true }]);
  });

  it('does not open the circuit breaker by rejecting commands', async () => {
    const router = routerTo({ registry: scripted('com') }, { failures: 1 });

    for (const id of ['id-1', 'id-2', 'id-3'])
      await expect(router.renew(name('a.com'), new Date(), years(1), id)).rejects.toMatchObject({ reason: 'not_held' });
  });
});

describe('a registry that several accounts use', () => {
  it('serves a quote before the queued searches of another account', async () => {
    const registry = scripted('com');
    const router = routerTo({ registry }, { concurrency: 1, queue: 200 });
    const searches = Array.from({ length: 150 }, (_, index) =>
      router.forAccount('acc_wide').check([name(`search-${index}.com`)]),
    );

    await router.forAccount('acc_other').check([name('quote.com')]);
    const sent = registry.callsOf('check').length;
    await Promise.all(searches);

    expect(sent).toBeLessThanOrEqual(5);
    expect(registry.callsOf('check')).toHaveLength(151);
  });

  it('rejects calls of the account with most calls if the queue is full', async () => {
    const registry = scripted('com');
    const router = routerTo({ registry }, { concurrency: 1, queue: 10 });
    const searches = Array.from({ length: 551 }, (_, index) =>
      router.forAccount('acc_wide').check([name(`search-${index}.com`)]),
    );
    const results = Promise.allSettled(searches);

    expect(await router.forAccount('acc_other').check([name('quote.com')])).toMatchObject([{ available: true }]);
    const rejected = (await results).flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(rejected).toHaveLength(541);
    expect(rejected[0]).toBeInstanceOf(RegistryNotContacted);
  });
});

describe('a registry with a rate limit', () => {
  it('never receives a command whose time limit ended while it waited', async () => {
    jest.useFakeTimers();
    const guard = new RegistryGuard(
      'registry',
      { ...DEFAULT_LIMITS, perSecond: 1, commandMs: 100 },
      new RecordingLog(),
    );
    const sent: string[] = [];
    const send = (what: string) => guard.command(async () => void sent.push(what));
    await send('first');

    const rejected = send('second').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    await send('third');

    expect(await rejected).toBeInstanceOf(RegistryNotContacted);
    expect(sent).toEqual(['first', 'third']);
  });

  it('keeps its circuit breaker open if the trial call is not sent within its time limit', async () => {
    jest.useFakeTimers();
    const limits = { ...DEFAULT_LIMITS, failures: 1, retryAfterMs: 100, perSecond: 1, queryMs: 100 };
    const guard = new RegistryGuard('registry', limits, new RecordingLog());
    await guard.query(() => Promise.reject(new RegistryUnavailable())).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(100);

    const trial = guard.query(async () => 'sent').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);

    expect(await trial).toBeInstanceOf(RegistryNotContacted);
    expect(guard.status().breaker).toBe('open');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await guard.query(async () => 'sent')).toBe('sent');
    expect(guard.status().breaker).toBe('closed');
  });

  it('receives no more calls than the limit; further calls are rejected if the queue is full', async () => {
    const registry = scripted('com');
    const router = routerTo({ registry }, { perSecond: 2, queue: 0, concurrency: 10, queryMs: 100 });

    const results = await Promise.allSettled([1, 2, 3].map(() => router.check([name('a.com')])));

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(registry.callsOf('check')).toHaveLength(2);
  });
});
