import { SigningRunner } from '../../../../../src/application/dnssec/steps/signing-runner';
import type { StepEffect } from '../../../../../src/application/dnssec/steps/step-effect';
import { RegistryUnavailable } from '../../../../../src/application/ports/registry/registry-errors';
import { StorageUnavailable } from '../../../../../src/application/ports/storage/storage-unavailable';
import { SealBroken } from '../../../../../src/application/ports/system';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import { OPERATION_SETTINGS, pass, settled, stopTime } from '../../../../support/use-cases/registration-scenario';
import { UseCaseContext } from '../../../../support/use-cases/use-case-context';

const { leaseMs } = OPERATION_SETTINGS;
const HOUR_MS = 3_600_000;
const NEXT_DUE = new Date('2030-01-01T00:00:00.000Z');

/** A process that takes the steps of zones. */
class SigningProcess {
  readonly runner: SigningRunner;
  /** Steps that it has begun. */
  taken = 0;
  private end: (effect: StepEffect) => void = () => undefined;
  private break: (error: Error) => void = () => undefined;

  constructor({ storage, clock, lifecycleClock, log }: UseCaseContext) {
    const steps = { take: () => this.take() };
    this.runner = new SigningRunner(
      storage,
      storage.zoneSignings,
      steps,
      clock,
      lifecycleClock,
      log,
      OPERATION_SETTINGS,
    );
    this.runner.start();
  }

  /** The step that it takes has read what it needs. */
  async finish(): Promise<void> {
    this.end({ apply: async (_stores, current) => current.schedule(NEXT_DUE) });
    await settled();
  }

  /** The step that it takes fails. */
  async fail(error: Error): Promise<void> {
    this.break(error);
    await settled();
  }

  /** The step that it takes fails while it is committed. */
  async failToCommit(error: Error): Promise<void> {
    this.end({
      apply: async () => {
        throw error;
      },
    });
    await settled();
  }

  private take(): Promise<StepEffect> {
    this.taken += 1;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.break = reject;
    });
  }
}

describe('steps of DNSSEC', () => {
  let around: UseCaseContext;
  let first: SigningProcess;
  let second: SigningProcess;

  beforeEach(async () => {
    stopTime();
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1' });
    await around.storage.run(({ zoneSignings }) =>
      zoneSignings.add(ZoneSigning.request('dom_1', 'nsec', around.lifecycleClock.now())),
    );
    first = new SigningProcess(around);
    second = new SigningProcess(around);
  });

  afterEach(async () => {
    await Promise.all([first.finish(), second.finish()]);
    await Promise.all([first.runner.stop(), second.runner.stop()]);
    jest.useRealTimers();
  });

  const stored = async () => (await around.storage.zoneSignings.find('dom_1'))?.toState();
  const dueAt = async () => (await stored())?.dueAt;

  it('are taken by one process at a time and committed, however much longer than the lease they take', async () => {
    await pass(around, 3 * leaseMs);
    expect(first.taken + second.taken).toBe(1);
    await Promise.all([first.finish(), second.finish()]);

    expect(await dueAt()).toEqual(NEXT_DUE);
  });

  it('are not committed by a process that stood still, and lost its lease to another one', async () => {
    await pass(around, leaseMs / 2);
    around.lifecycleClock.advance({ ms: leaseMs });
    void second.runner.runDue();
    await settled();

    await first.finish();
    expect([first.taken, second.taken]).toEqual([1, 1]);
    expect(await dueAt()).not.toEqual(NEXT_DUE);
    await second.finish();

    expect(await dueAt()).toEqual(NEXT_DUE);
  });

  it('are not committed, and their lease is not extended, after a request has changed the zone', async () => {
    const asked = new Date('2029-01-01T00:00:00.000Z');
    await pass(around, leaseMs / 2);
    await around.storage.run(async ({ zoneSignings }) => {
      const signing = await zoneSignings.lock('dom_1');
      signing?.schedule(asked);
      if (signing) await zoneSignings.save(signing);
    });

    await pass(around, leaseMs);
    await first.finish();

    expect(await dueAt()).toEqual(asked);
  });

  it.each([
    ['an error while they are taken', 'fail', new TypeError('hidden'), /error of the service/, /in the log/],
    [
      'an error while they are committed',
      'failToCommit',
      new TypeError('hidden'),
      /error of the service/,
      /in the log/,
    ],
    [
      'a signing key that cannot be read',
      'failToCommit',
      new SealBroken('hidden'),
      /key .* cannot be read/,
      /SECRET_KEY/,
    ],
  ] as const)(
    'show %s with what to do, log it once, and are tried again every hour',
    async (_case, way, error, reason, remedy) => {
      await pass(around, 1_000);

      await first[way](error);
      await pass(around, HOUR_MS - 5_000);

      expect([first.taken, second.taken]).toEqual([1, 0]);
      expect((await stored())?.problem).toEqual({
        reason: expect.stringMatching(reason),
        remedy: expect.stringMatching(remedy),
      });
      expect(JSON.stringify((await stored())?.problem)).not.toContain('hidden');
      expect(around.log.entries).toEqual([
        { level: 'error', facts: { err: error, domainId: 'dom_1', step: 'sign' }, message: expect.any(String) },
      ]);
      expect(around.auditEntries).toMatchObject([{ action: 'domain.dnssec_changed', after: { state: 'error' } }]);
      await pass(around, 10_000);
      expect(first.taken + second.taken).toBe(2);
    },
  );

  it.each([
    ['the registry', new RegistryUnavailable()],
    ['the database', new StorageUnavailable()],
  ] as const)(
    'are repeated after the lease if an outage of %s stopped them, and are no error',
    async (_away, outage) => {
      await pass(around, 1_000);

      await first.fail(outage);
      expect((await stored())?.problem).toBeNull();
      await pass(around, leaseMs + 1_000);

      expect(first.taken + second.taken).toBe(2);
      expect(around.log.entries).toMatchObject([{ level: 'warn' }]);
    },
  );

  it('leave a request that changed the zone while they failed', async () => {
    await pass(around, 1_000);
    await around.storage.run(async ({ zoneSignings }) => {
      const signing = await zoneSignings.lock('dom_1');
      signing?.schedule(NEXT_DUE);
      if (signing) await zoneSignings.save(signing);
    });

    await first.fail(new TypeError('hidden'));

    expect(await stored()).toMatchObject({ dueAt: NEXT_DUE, problem: null });
  });
});
