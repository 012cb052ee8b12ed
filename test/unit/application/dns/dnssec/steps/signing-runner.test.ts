import { SigningRunner } from '../../../../../../src/application/dns/dnssec/steps/signing-runner';
import type { StepEffect } from '../../../../../../src/application/dns/dnssec/steps/step-effect';
import { ZoneSigning } from '../../../../../../src/domain/dns/dnssec/zone-signing';
import { OPERATION_SETTINGS, pass, settled, stopTime } from '../../../../../support/use-cases/registration-scenario';
import { UseCaseContext } from '../../../../../support/use-cases/use-case-context';

const { leaseMs } = OPERATION_SETTINGS;
const NEXT_DUE = new Date('2030-01-01T00:00:00.000Z');

/** A process that takes the steps of zones. */
class SigningProcess {
  readonly runner: SigningRunner;
  /** Steps that it has begun. */
  taken = 0;
  private end: (effect: StepEffect) => void = () => undefined;

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

  private take(): Promise<StepEffect> {
    this.taken += 1;
    return new Promise((resolve) => (this.end = resolve));
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

  const dueAt = async () => (await around.storage.zoneSignings.find('dom_1'))?.toState().dueAt;

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
});
