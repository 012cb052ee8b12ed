import type { DomainState } from '../../../../src/domain/registration/domain';
import {
  closeScenarios,
  openScenario,
  pass,
  RegistrationScenario,
  settled,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAME = 'example.com';
const APPROVE = { ...OURS, domainId: 'dom_1', decision: 'approve' } as const;
const REJECT = { ...OURS, domainId: 'dom_1', decision: 'reject' } as const;

describe('a transfer to another registrar', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  let scenarios: RegistrationScenario[];

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    scenarios = [scenario];
    await around.givenDomain({ name: NAME, createdAt: around.lifecycleClock.now() });
  });
  afterEach(() => closeScenarios(around, ...scenarios));

  const domain = (): DomainState | undefined => around.storage.tables.domains.get('dom_1');
  const operations = () => [...around.storage.tables.operations.values()];
  const endsAt = () => new Date(around.lifecycleClock.now().getTime() + 5 * 86_400_000);
  /** Another registrar requests the transfer; the registry removes the lock for it, and its message arrives. */
  async function isRequested(ends: Date | undefined = endsAt()): Promise<void> {
    around.registry.hold(NAME, { transferLocked: false });
    around.registry.requestTransferOut(NAME, undefined, ends);
    around.registry.send({ kind: 'changed', name: NAME });
    await scenario.lifecycle.runDue();
  }

  it('is shown with its deadline as soon as the message of the registry arrives', async () => {
    const [requestedAt, ends] = [around.lifecycleClock.now(), endsAt()];
    await isRequested(ends);

    expect(domain()).toMatchObject({
      status: 'active',
      transferPending: true,
      transferRequestedAt: requestedAt,
      transferEndsAt: ends,
      transferLocked: true,
    });
  });

  it('is shown from the time when it was noticed if the registry returns no data about it', async () => {
    around.registry.next('transferStatus').isRefused('unsupported');
    await isRequested();

    expect(domain()).toMatchObject({
      transferPending: true,
      transferRequestedAt: around.lifecycleClock.now(),
      transferEndsAt: null,
    });
  });

  it('ends with the loss of the domain when it is approved', async () => {
    await isRequested();

    const { domain: lost } = await scenario.decideTransferOut.execute(APPROVE);

    expect(lost.toState()).toMatchObject({ status: 'transferred_out', transferPending: false, transferEndsAt: null });
    expect(around.auditEntries.at(-1)).toMatchObject({ action: 'domain.transfer_approved', actor: OURS.actor });
  });

  it('leaves the domain with its lock when it is rejected', async () => {
    await isRequested();

    const { domain: left } = await scenario.decideTransferOut.execute(REJECT);

    expect(left.toState()).toMatchObject({ status: 'active', transferPending: false, transferLocked: true });
    expect(around.registry.callsOf('setTransferLock')).toHaveLength(1);
    expect(around.auditEntries.at(-1)).toMatchObject({ action: 'domain.transfer_rejected', actor: OURS.actor });
  });

  it('leaves a domain unlocked that was unlocked before, when it is rejected', async () => {
    await scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: false });
    await isRequested();

    await scenario.decideTransferOut.execute(REJECT);

    expect(domain()).toMatchObject({ transferPending: false, transferLocked: false });
  });

  it('is followed by the lock if the other registrar cancels it', async () => {
    await isRequested();
    around.registry.endTransfer(NAME, 'cancelled');
    around.registry.send({ kind: 'changed', name: NAME });

    await scenario.lifecycle.runDue();
    await pass(around, 1_000);

    expect(domain()).toMatchObject({ transferPending: false, transferLocked: true });
    expect(operations()).toMatchObject([{ request: { kind: 'set_transfer_lock', locked: true }, status: 'succeeded' }]);
  });

  it.each([
    ['approval', APPROVE, 'approveTransfer', { status: 'transferred_out' }],
    ['rejection', REJECT, 'rejectTransfer', { status: 'active', transferPending: false, transferLocked: true }],
  ] as const)(
    'is read at the registry before an %s with a lost response is repeated',
    async (_what, command, sent, end) => {
      await isRequested();
      around.registry.next(sent).losesItsResponse();

      const deciding = scenario.decideTransferOut.execute(command);
      await pass(around, 3_000);
      await deciding;

      expect(domain()).toMatchObject(end);
      expect(around.registry.callsOf(sent)).toHaveLength(1);
    },
  );

  it('is decided by another process if the first one dies during the command', async () => {
    await isRequested();
    around.registry.next('rejectTransfer').respondsLate();
    scenario.decideTransferOut.execute(REJECT).catch(() => undefined);
    await settled();
    jest.clearAllTimers();

    const heir = new RegistrationScenario(around);
    scenarios = [heir];
    heir.runner.start();
    await pass(around, 16_000);

    expect(domain()).toMatchObject({ transferPending: false, transferLocked: true });
    expect(around.registry.callsOf('rejectTransfer')).toHaveLength(1);
  });

  it('cannot be decided if none is pending: nothing is stored or sent', async () => {
    await expect(scenario.decideTransferOut.execute(REJECT)).rejects.toMatchObject({ code: 'DOMAIN_STATUS_CONFLICT' });

    expect(operations()).toEqual([]);
  });

  it('is checked again if the registry refuses the decision because the transfer has ended', async () => {
    await isRequested();
    around.registry.endTransfer(NAME, 'completed');

    await expect(scenario.decideTransferOut.execute(REJECT)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
  });
});

describe('a release to another registrar', () => {
  const RELEASED = 'example.co.uk';
  const RELEASE = { ...OURS, domainId: 'dom_1', registrarTag: 'OTHER-TAG' };
  let around: UseCaseContext;
  let scenario: RegistrationScenario;

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain({ name: RELEASED });
  });
  afterEach(() => closeScenarios(around, scenario));

  const domain = (): DomainState | undefined => around.storage.tables.domains.get('dom_1');

  it('moves the domain, which the activity log says with the tag', async () => {
    const { domain: lost, operation, warnings } = await scenario.releaseDomain.execute(RELEASE);

    expect(lost.status).toBe('transferred_out');
    expect(warnings).toEqual([]);
    expect(operation.request).toEqual({ kind: 'release', registrarTag: 'OTHER-TAG' });
    expect(around.auditEntries.at(-1)).toMatchObject({
      action: 'domain.released',
      actor: OURS.actor,
      after: { status: 'transferred_out', registrarTag: 'OTHER-TAG' },
    });
  });

  it('warns before it, and with it, if the domain uses our nameservers', async () => {
    const nameservers = ['ns1.default.net', 'ns2.default.net'];
    await around.givenDomain({ id: 'dom_2', name: 'second.co.uk', nameservers });
    const [elsewhere, ours] = [domain(), around.storage.tables.domains.get('dom_2')];

    expect(elsewhere && (await scenario.releaseDomain.review(elsewhere))).toEqual({ dnssec: [], nameservers: [] });
    const before = ours && (await scenario.releaseDomain.review(ours));
    expect(before).toEqual({ dnssec: [], nameservers: [expect.stringContaining('stop answering')] });
    const { warnings } = await scenario.releaseDomain.execute({ ...RELEASE, domainId: 'dom_2' });
    expect(warnings).toEqual(before?.nameservers);
  });

  it('is pending until the registry shows that the other registrar has accepted it', async () => {
    around.registry.waitsForOtherRegistrar = true;

    const { domain: pending, warnings } = await scenario.releaseDomain.execute(RELEASE);

    expect(pending.toState()).toMatchObject({ status: 'active', transferPending: true });
    expect(warnings).toEqual([expect.stringContaining('until the other registrar accepts it')]);

    around.lifecycleClock.advance({ ms: 2 * 3_600_000 });
    await scenario.lifecycle.runDue();
    expect(domain()).toMatchObject({ status: 'active', transferPending: true });

    around.registry.hold(RELEASED, { sponsoredByUs: false });
    around.lifecycleClock.advance({ ms: 2 * 3_600_000 });
    await scenario.lifecycle.runDue();
    expect(domain()).toMatchObject({ status: 'transferred_out', transferPending: false });
  });

  it('is no longer pending if the other registrar has not accepted it within the transfer period', async () => {
    around.registry.waitsForOtherRegistrar = true;
    await scenario.releaseDomain.execute(RELEASE);

    around.lifecycleClock.advance({ days: 6 });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'active', transferPending: false });
  });

  it('is not sent again after a lost response: the registry shows that the domain has left', async () => {
    around.registry.next('release').losesItsResponse();

    const releasing = scenario.releaseDomain.execute(RELEASE);
    await pass(around, 3_000);

    expect((await releasing).domain.status).toBe('transferred_out');
    expect(around.registry.callsOf('release')).toHaveLength(1);
  });

  it('is sent again if it did not arrive', async () => {
    around.registry.next('release').isUnreachable();

    const releasing = scenario.releaseDomain.execute(RELEASE);
    await pass(around, 3_000);

    expect((await releasing).domain.status).toBe('transferred_out');
    expect(around.registry.callsOf('release')).toHaveLength(2);
  });

  it('is refused if the domain had left before, and the domain is checked', async () => {
    around.registry.hold(RELEASED, { sponsoredByUs: false });

    await expect(scenario.releaseDomain.execute(RELEASE)).rejects.toMatchObject({ code: 'REGISTRY_REJECTED' });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
    expect(around.auditEntries.map(({ action }) => action)).not.toContain('domain.released');
  });

  it.each([
    ['an invalid tag', 'dom_1', 'not a tag', 'VALIDATION_ERROR'],
    ['a registry without releases', 'dom_2', 'OTHER-TAG', 'REGISTRY_REJECTED'],
  ])('is refused with %s: nothing is stored or sent', async (_what, domainId, registrarTag, code) => {
    await around.givenDomain({ id: 'dom_2', name: NAME });

    await expect(scenario.releaseDomain.execute({ ...OURS, domainId, registrarTag })).rejects.toMatchObject({ code });

    expect(around.storage.tables.operations.size).toBe(0);
    expect(around.registry.callsOf('release')).toEqual([]);
  });
});
