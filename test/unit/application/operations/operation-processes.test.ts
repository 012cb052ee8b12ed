import { DomainName } from '../../../../src/domain/shared/domain-name';
import { Operation, type OperationState } from '../../../../src/domain/registration/operations/operation';
import { FormerLeases, BackgroundWorker } from '../../../../src/application/worker/background-worker';
import {
  OPERATION_SETTINGS,
  pass,
  RegistrationScenario,
  settled,
} from '../../../support/use-cases/registration-scenario';
import { OperationsScenario } from '../../../support/use-cases/operations-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';
import { NO_CLEAN_UP } from '../../../support/use-cases/no-clean-up';

const COMMAND = { ...OURS, domainId: 'dom_1' };
const [HOSTS, OTHER_HOSTS] = [
  ['ns1.new.net', 'ns2.new.net'],
  ['ns1.other.net', 'ns2.other.net'],
];

/** For a request whose response a test does not wait for. */
const unwatched = (work: Promise<unknown>) => void work.catch(() => undefined);

describe('operations', () => {
  let scene: OperationsScenario;
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    scene = await OperationsScenario.open();
    ({ around, scenario } = scene);
  });

  afterEach(() => scene.close());

  describe('of several processes', () => {
    it('get the outcome from the process that runs them if they were only stored by another', async () => {
      const web = new RegistrationScenario(around);
      const delegating = scene.delegate(HOSTS, { by: web });

      await pass(around, 500);

      expect((await delegating).domain.toState().nameservers).toEqual(HOSTS);
    });

    it('pass an auth code on encrypted, and erase it after delivery', async () => {
      const web = new RegistrationScenario(around);
      const late = around.registry.next('issueAuthCode').respondsLate();
      const issuing = web.issueAuthCode.execute(COMMAND);
      await pass(around, 250);
      late.release();
      await settled();
      const underWay = JSON.stringify(scene.operations());
      await pass(around, 250);

      const { authCode } = await issuing;

      expect(authCode?.code).toMatch(/^auth-code-/);
      expect(underWay).toContain('"sealed":');
      expect(underWay).not.toContain(authCode?.code);
      expect(scene.operations()).toMatchObject([{ status: 'succeeded', handover: null }]);
    });

    it('are run once, however many processes poll', async () => {
      scene.aProcess();
      scene.aProcess();

      await Promise.all(['dom_1', 'dom_2', 'dom_3'].map((domainId) => scene.delegate(HOSTS, { domainId })));
      await pass(around, 1_000);

      expect(around.registry.calls).toHaveLength(3);
    });

    it('keep their lease while they run, however long that takes', async () => {
      await scenario.runner.stop();
      const slow = scene.aProcess({ leaseMs: 3_000 });
      scene.aProcess({ leaseMs: 3_000 });
      const late = around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS, { by: slow }));

      for (let second = 0; second < 20; second += 1) await pass(around, 1_000);
      late.release();
      await settled();

      expect(around.registry.calls).toHaveLength(1);
      expect(scene.operations()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    });

    it('are taken over when the lease of a killed process ends, which then commits nothing', async () => {
      const late = around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS));
      await settled();
      jest.clearAllTimers();
      const heir = scene.aProcess();

      await pass(around, 14_000);
      const before = around.registry.calls.length;
      await pass(around, 1_250);
      await scene.delegate(OTHER_HOSTS, { by: heir });
      late.release();
      await settled();

      expect(before).toBe(1);
      expect(scene.operations()).toMatchObject([
        { status: 'succeeded', attempts: 2 },
        { status: 'succeeded', attempts: 1 },
      ]);
      expect(scene.stored()).toMatchObject({ nameservers: OTHER_HOSTS });
    });

    it('are sent after a wait for the registry that is longer than the lease, which is renewed', async () => {
      await scenario.runner.stop();
      const busy = scene.aProcess({ leaseMs: 3_000, concurrency: 1 });
      const late = around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS, { by: busy }));
      unwatched(scene.delegate(HOSTS, { domainId: 'dom_2', by: busy }));

      await pass(around, 20_000);
      late.release();
      await settled();

      expect(scene.operations()).toMatchObject([
        { status: 'succeeded', attempts: 1 },
        { status: 'succeeded', attempts: 1 },
      ]);
    });

    it('are not sent by a process whose lease has ended while they waited for the registry', async () => {
      await scenario.runner.stop();
      const busy = scene.aProcess({ concurrency: 1 });
      const late = around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS, { by: busy }));
      unwatched(scene.delegate(HOSTS, { domainId: 'dom_2', by: busy }));
      await settled();
      jest.clearAllTimers();
      const heir = scene.aProcess();
      await pass(around, 15_250);
      await scene.delegate(OTHER_HOSTS, { domainId: 'dom_2', by: heir });

      late.release();
      await settled();

      const held = await around.registry.info(DomainName.fromState('second.com'));
      expect(held?.nameservers).toEqual(OTHER_HOSTS);
      expect(scene.stored('dom_2')).toMatchObject({ nameservers: OTHER_HOSTS });
      expect(scene.operations().map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    });

    it('are looked up at the registry before they are repeated if their process was killed', async () => {
      around.registry.next('renew').respondsLate();
      unwatched(scenario.renewDomain.execute(COMMAND));
      await settled();
      jest.clearAllTimers();

      scene.aProcess();
      await pass(around, 15_250);

      expect(around.registry.charges).toHaveLength(1);
      expect(scene.operations()).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    });

    it('are taken over at once from a killed process by one that knows that it is the only process', async () => {
      around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS));
      await settled();
      jest.clearAllTimers();

      const heir = scene.anIdleProcess();
      const worker = new BackgroundWorker(
        heir.runner,
        heir.lifecycle,
        heir.transfers,
        NO_CLEAN_UP,
        NO_CLEAN_UP,
        new FormerLeases(around.storage, around.clock, heir.transfers, { ...OPERATION_SETTINGS, alone: true }),
        NO_CLEAN_UP,
      );
      await worker.start();
      await pass(around, 250);
      await worker.stop();

      expect(scene.operations()).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    });
  });

  describe('of a process that stops', () => {
    it('are waited for if they are in progress', async () => {
      const late = around.registry.next('setNameservers').respondsLate();
      const delegating = scene.delegate(HOSTS);
      await settled();

      const stopping = scenario.runner.stop();
      late.release();
      await Promise.all([stopping, delegating]);

      expect(scene.operations()).toMatchObject([{ status: 'succeeded' }]);
    });

    it('keep their lease if the registry has not responded: another process checks them when it has run out', async () => {
      around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS));
      await settled();

      const stopping = scenario.runner.stop();
      await pass(around, 2_000);
      await stopping;
      const left = scene.operations()[0];
      scene.aProcess();
      await pass(around, OPERATION_SETTINGS.leaseMs - 3_000);
      const retryInSeconds = Operation.fromState(left as OperationState).requestRetry(around.clock.now());
      const attemptsBefore = scene.operations()[0]?.attempts;
      await pass(around, 1_500);

      expect(left?.status).toBe('running');
      expect(retryInSeconds).toBeUndefined();
      expect(attemptsBefore).toBe(1);
      expect(scene.operations()).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    });

    it('are not started any more', async () => {
      await scenario.runner.stop();

      unwatched(scene.delegate(HOSTS));
      await pass(around, 1_000);

      expect(around.registry.calls).toEqual([]);
      expect(scene.operations()).toMatchObject([{ status: 'queued' }]);
    });
  });
});
