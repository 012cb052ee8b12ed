import { pass, settled, type RegistrationScenario } from '../../../support/use-cases/registration-scenario';
import { OperationsScenario } from '../../../support/use-cases/operations-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };
const [HOSTS, OTHER_HOSTS] = [
  ['ns1.new.net', 'ns2.new.net'],
  ['ns1.other.net', 'ns2.other.net'],
];
const RETRIED = 1_250;

/** For a request whose answer a test does not wait for. */
const unwatched = (work: Promise<unknown>) => void work.catch(() => undefined);

describe('operations', () => {
  let scene: OperationsScenario;
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  const calls = () => around.registry.calls.map(({ command, name }) => `${command} ${name}`);

  beforeEach(async () => {
    scene = await OperationsScenario.open();
    ({ around, scenario } = scene);
  });

  afterEach(() => scene.close());

  describe('of one domain', () => {
    it('run one after another, in the requested order', async () => {
      const late = around.registry.next('setNameservers').respondsLate();
      const all = [
        scene.delegate(HOSTS),
        scenario.changeTransferLock.execute({ ...COMMAND, locked: false }),
        scene.delegate(OTHER_HOSTS),
      ];
      await settled();
      const meanwhile = calls();

      late.release();
      await Promise.all(all);

      expect(meanwhile).toEqual(['setNameservers example.com']);
      expect(calls()).toEqual([
        'setNameservers example.com',
        'setTransferLock example.com',
        'setNameservers example.com',
      ]);
      expect(scene.stored()).toMatchObject({ nameservers: OTHER_HOSTS, transferLocked: false });
    });

    it('continue after one that was rejected', async () => {
      around.registry.next('setNameservers').isRefused('policy');

      const outcomes = await Promise.allSettled([
        scene.delegate(HOSTS),
        scenario.changeTransferLock.execute({ ...COMMAND, locked: false }),
      ]);

      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
      expect(scene.stored()).toMatchObject({ transferLocked: false });
    });

    it('wait for one whose outcome is unknown', async () => {
      around.registry.next('setNameservers').isUnreachable();
      unwatched(scene.delegate(HOSTS));
      const unlocking = scenario.changeTransferLock.execute({ ...COMMAND, locked: false });
      await settled();
      const meanwhile = calls();

      await pass(around, RETRIED);
      await unlocking;

      expect(meanwhile).toEqual(['setNameservers example.com']);
      expect(calls()).toEqual([
        'setNameservers example.com',
        'setNameservers example.com',
        'setTransferLock example.com',
      ]);
    });
  });

  describe('of different domains', () => {
    it('runs operations of different domains in parallel, so that a slow one delays no other', async () => {
      const late = around.registry.next('setNameservers').respondsLate();
      const slow = scene.delegate(HOSTS);

      await scene.delegate(HOSTS, { domainId: 'dom_2' });

      expect(scene.stored('dom_2')).toMatchObject({ nameservers: HOSTS });
      expect(scene.stored()).not.toMatchObject({ nameservers: HOSTS });
      late.release();
      await slow;
    });

    it('run as many at a time as the process may', async () => {
      await scenario.runner.stop();
      const narrow = scene.aProcess({ concurrency: 2 });
      const gates = [0, 1].map(() => around.registry.next('setNameservers').respondsLate());
      const all = ['dom_1', 'dom_2', 'dom_3'].map((domainId) => scene.delegate(HOSTS, { domainId, by: narrow }));
      await settled();
      const meanwhile = calls();

      gates[1]?.release();
      await settled();
      const then = calls();
      gates[0]?.release();
      await Promise.all(all);

      expect(meanwhile).toEqual(['setNameservers example.com', 'setNameservers second.com']);
      expect(then).toEqual([...meanwhile, 'setNameservers third.com']);
    });
  });

  describe('whose outcome is unknown', () => {
    it.each([
      ['the answer was lost', () => around.registry.next('setNameservers').losesItsResponse()],
      ['the registry could not be reached', () => around.registry.next('setNameservers').isUnreachable()],
      ['the adapter has a bug', () => around.registry.next('setNameservers').failsWith(new TypeError('a bug'))],
    ])('are repeated until it is known: %s', async (_why, script) => {
      script();
      const delegating = scene.delegate(HOSTS);
      await settled();
      const meanwhile = scene.operations()[0];

      await pass(around, RETRIED);
      await delegating;

      expect(meanwhile).toMatchObject({
        status: 'uncertain',
        attempts: 1,
        leaseOwner: null,
        error: { code: 'REGISTRY_UNAVAILABLE' },
      });
      expect(scene.operations()[0]).toMatchObject({ status: 'succeeded', attempts: 2, uncertainSince: null });
      expect(scene.stored()).toMatchObject({ nameservers: HOSTS });
    });

    it('have a transaction id of their own for every attempt', async () => {
      around.registry.next('setNameservers').losesItsResponse();
      const delegating = scene.delegate(HOSTS);
      await pass(around, RETRIED);
      await delegating;

      const ids = around.registry.calls.map(({ transactionId }) => transactionId);

      expect(new Set(ids).size).toBe(2);
    });

    it('are retried less and less often during a registry outage, and continue after it', async () => {
      around.registry.goDown();
      unwatched(scene.delegate(HOSTS));
      await pass(around, 30_000);
      const attempts = around.registry.calls.length;
      await pass(around, 30_000);
      const more = around.registry.calls.length - attempts;

      around.registry.comeUp();
      await pass(around, 120_000);

      expect(attempts).toBeGreaterThan(3);
      expect(more).toBeLessThan(attempts);
      expect(scene.stored()).toMatchObject({ nameservers: HOSTS });
    });

    it('count as failed if a response takes too long, and a late response changes nothing', async () => {
      await scenario.runner.stop();
      const hasty = scene.aProcess({ commandMs: 1_000, waitMs: 30_000 });
      const late = around.registry.next('setNameservers').respondsLate();
      const delegating = scene.delegate(HOSTS, { by: hasty });

      await pass(around, 1_000);
      const meanwhile = scene.operations()[0]?.status;
      await pass(around, RETRIED);
      await delegating;
      await scene.delegate(OTHER_HOSTS, { by: hasty });
      late.release();
      await settled();

      expect(meanwhile).toBe('uncertain');
      expect(scene.stored()).toMatchObject({ nameservers: OTHER_HOSTS });
    });

    it('are a warning at first, an error if it is a bug of the service, and an error after ten minutes', async () => {
      around.registry.next('setNameservers').isUnreachable();
      around.registry.next('setNameservers').failsWith(new TypeError('a bug'));
      around.registry.next('setNameservers').isUnreachable();
      unwatched(scene.delegate(HOSTS));
      await pass(around, RETRIED);
      around.clock.advance({ ms: 10 * 60_000 });
      await pass(around, 250);

      const byTheGuard = ['error', undefined];
      expect(around.log.entries.map(({ level, facts }) => [level, facts['kind']])).toEqual([
        ['warn', 'set_nameservers'],
        byTheGuard,
        ['warn', 'set_nameservers'],
        ['error', 'set_nameservers'],
      ]);
    });
  });

  it('plan the next check of their domain when they end, not while their outcome is unknown', async () => {
    const look = new Date('2026-08-08T00:00:00.000Z');
    await around.givenDomain({ id: 'dom_4', name: 'fourth.com', dueAt: look });
    around.registry.next('setNameservers').isUnreachable();
    unwatched(scene.delegate(HOSTS, { domainId: 'dom_4' }));
    await settled();
    const meanwhile = scene.stored('dom_4')?.dueAt;

    await pass(around, RETRIED);

    expect(meanwhile).toEqual(look);
    expect(scene.stored('dom_4')?.dueAt).toEqual(new Date('2026-12-02T00:00:00.000Z'));
  });

  it('are never repeated after a rejection', async () => {
    around.registry.next('setNameservers').isRefused('policy', 'not today');

    await expect(scene.delegate(HOSTS)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    await pass(around, 60_000);

    expect(around.registry.callsOf('setNameservers')).toHaveLength(1);
    expect(scene.operations()).toMatchObject([
      { status: 'failed', error: { code: 'REGISTRY_REJECTED', message: 'not today' } },
    ]);
  });

  describe('during a database outage', () => {
    it('are carried out when it is back, and a change that the registry made already is not lost', async () => {
      const late = around.registry.next('setNameservers').respondsLate();
      unwatched(scene.delegate(HOSTS));
      await settled();
      around.storage.goDown();
      late.release();
      await settled();

      around.storage.comeUp();
      await pass(around, 16_000);

      expect(scene.stored()).toMatchObject({ nameservers: HOSTS });
      expect(scene.operations()).toMatchObject([{ status: 'succeeded' }]);
    });

    it('are checked nevertheless, with a warning and without an end date', async () => {
      around.storage.goDown();
      await pass(around, 1_000);
      around.storage.comeUp();

      await scene.delegate(HOSTS);

      expect(around.log.entries.length).toBeGreaterThan(0);
      expect(around.log.entries.every(({ level }) => level === 'warn')).toBe(true);
    });
  });
});
