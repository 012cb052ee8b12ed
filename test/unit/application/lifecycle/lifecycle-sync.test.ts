import { LifecycleSync } from '../../../../src/application/lifecycle/lifecycle-sync';
import { RegistryNotContacted } from '../../../../src/application/ports/registry/registry-errors';
import { DomainName } from '../../../../src/domain/shared/domain-name';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  RegistrationScenario,
  settled,
} from '../../../support/use-cases/registration-scenario';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const at = (day: string) => new Date(`${day}T00:00:00.000Z`);

it('messages of registries are received every quarter of a minute, while those of one registry still come', () => {
  jest.useFakeTimers();
  const receive = jest.fn(() => new Promise<void>(() => undefined));
  const context = new UseCaseContext();
  const none = { due: async () => [], runDue: async () => 0, nextDueAt: async () => undefined };
  const { lifecycleClock, log } = context;
  const lifecycle = new LifecycleSync(
    none as never,
    none as never,
    { receive } as never,
    none,
    none as never,
    lifecycleClock,
    log,
  );

  lifecycle.start();
  jest.advanceTimersByTime(31_000);
  void lifecycle.stop();
  jest.useRealTimers();

  expect(receive).toHaveBeenCalledTimes(2);
});

describe('the lifecycle of a domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const domain = (id = 'dom_1') => around.storage.tables.domains.get(id);
  const operations = () => [...around.storage.tables.operations.values()];
  /** Lets the day come, and everything happen that is due by then. */
  const on = async (day: string) => {
    const ms = at(day).getTime() - around.lifecycleClock.now().getTime();
    around.lifecycleClock.advance({ ms });
    await scenario.lifecycle.runDue();
  };
  const given = async (overrides: Partial<DomainState> = {}) =>
    around.givenDomain({ id: 'dom_1', expiresAt: at('2027-01-01'), ...overrides });

  beforeEach(() => {
    ({ around, scenario } = openScenario());
  });
  afterEach(() => closeScenarios(around, scenario));

  it('is renewed a month before its term ends, once, in the name of the service', async () => {
    await given();

    await on('2026-12-01');
    expect(operations()).toEqual([]);
    await on('2026-12-02');
    await on('2026-12-31');

    expect(operations()).toMatchObject([
      {
        status: 'succeeded',
        actor: { kind: 'service' },
        request: { kind: 'renew', years: 1, currentExpiry: '2027-01-01T00:00:00.000Z' },
      },
    ]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2028-01-01'), dueAt: at('2027-12-02') });
    expect(around.registry.charges).toHaveLength(1);
  });

  it('is renewed once by several workers', async () => {
    await given();
    const other = new RegistrationScenario(around);
    other.runner.start();
    around.lifecycleClock.advance({ days: 290 });

    await Promise.all([scenario.lifecycle.runDue(), other.lifecycle.runDue(), scenario.lifecycle.runDue()]);

    expect(around.registry.charges).toHaveLength(1);
    await other.runner.stop();
  });

  it('is not renewed twice if the account renews at the same time', async () => {
    await given();
    around.lifecycleClock.advance({ days: 300 });
    const late = around.registry.next('renew').respondsLate();
    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 });
    await settled();

    await scenario.lifecycle.runDue();
    late.release();
    await renewing;

    expect(around.registry.charges).toHaveLength(1);
  });

  it('leaves what becomes due between the registry’s response and its commit to the next check', async () => {
    await given({ dueAt: at('2026-03-01') });
    const late = around.registry.next('info').respondsLate();
    const settling = scenario.lifecycle.runDue();
    await settled();
    const gate: { open?: () => void } = {};
    const busy = around.storage.run(
      () =>
        new Promise<void>((resolve) => {
          gate.open = resolve;
        }),
    );
    late.release();
    await settled();

    around.lifecycleClock.advance({ days: 300 });
    gate.open?.();
    await Promise.all([busy, settling]);

    expect(domain()).toMatchObject({ expiresAt: at('2028-01-01') });
  });

  it('retries a day after the registry rejected it, until the renewal grace period ends', async () => {
    await given();
    around.registry.next('renew').isRefused('credit', 'no money');

    await on('2026-12-02');
    expect(domain()).toMatchObject({ expiresAt: at('2027-01-01') });
    await on('2026-12-03');

    expect(operations().map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(domain()).toMatchObject({ expiresAt: at('2028-01-01') });
  });

  it('is not renewed if auto-renewal is switched off while the renewal waits for the registry', async () => {
    await given();
    around.registry.next('renew').failsWith(new RegistryNotContacted());
    const settling = on('2026-12-02');
    await settled();
    await around.storage.run(async ({ domains }) => {
      const stored = await domains.lockAny('dom_1');
      stored?.setAutoRenew(false, around.lifecycleClock.now());
      if (stored) await domains.save(stored);
    });

    await pass(around, 7_000);
    await settling;

    expect(operations()).toMatchObject([{ status: 'failed', error: { code: 'REGISTRY_REJECTED' } }]);
    expect(around.registry.charges).toEqual([]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01') });
  });

  it('expires and deletes a domain without auto-renewal after the grace period', async () => {
    await given({ autoRenew: false, dueAt: at('2027-01-01') });
    around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });

    await on('2027-01-01');
    expect(domain()).toMatchObject({ status: 'expired', expiresAt: at('2027-01-01'), dueAt: at('2027-01-31') });
    await on('2027-01-31');
    expect(domain()).toMatchObject({ status: 'redemption' });
    around.registry.hold('example.com', { phase: 'pending_delete', phaseEndsAt: at('2027-03-07') });
    await on('2027-03-02');
    expect(domain()).toMatchObject({ status: 'pending_delete', dueAt: at('2027-03-07') });
    around.registry.letGo('example.com');
    await on('2027-03-07');

    expect(domain()).toMatchObject({ status: 'gone' });
    expect(operations()).toMatchObject([{ request: { kind: 'delete' }, status: 'succeeded' }]);
  });

  it('stays active if it was renewed within the grace period, for the year that the registry has added', async () => {
    await given({ autoRenew: false, status: 'expired', dueAt: at('2027-01-31') });
    around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });
    around.lifecycleClock.advance({ days: 310 });

    await scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 });
    await on('2027-02-01');

    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2028-01-01') });
    expect(around.registry.charges).toEqual([]);
  });

  it('is renewed for two years in the auto-renew grace period despite a lost response, and keeps both in the next check', async () => {
    await given({ autoRenew: false, status: 'expired', dueAt: at('2027-01-31') });
    around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });
    around.lifecycleClock.advance({ days: 310 });
    around.registry.next('renew').losesItsResponse();
    around.registry.next('renew').losesItsResponse();

    const renewing = scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 2 });
    await pass(around, 2_000);
    await renewing;
    await on('2027-02-01');
    around.registry.send({ kind: 'changed', name: 'example.com' });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2029-01-01') });
    expect(around.registry.charges).toHaveLength(1);
    expect((await around.registry.info(DomainName.fromState('example.com')))?.phase).toBe('auto_renew_grace');
  });

  it('catches up after a long time without checks', async () => {
    await given({ autoRenew: false });
    around.registry.hold('example.com', {
      phase: 'pending_delete',
      expiresAt: at('2027-01-01'),
      phaseEndsAt: at('2027-03-07'),
    });

    await on('2027-03-03');

    expect(domain()).toMatchObject({ status: 'pending_delete' });
  });

  it('renews a domain with auto-renewal even if the first check is after the grace period', async () => {
    await given();
    around.registry.hold('example.com', { phase: 'auto_renew_grace', expiresAt: at('2028-01-01') });

    await on('2027-02-05');

    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2028-01-01') });
  });

  it('keeps a domain that the registry has lost, and logs an ERROR', async () => {
    await given();
    around.registry.letGo('example.com');

    await on('2026-12-02');

    expect(domain()).toMatchObject({ status: 'active' });
    expect(around.log.entries).toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  it('becomes transferred_out when the registry confirms it, and acknowledges the message only then', async () => {
    await given();
    around.registry.hold('example.com', { sponsoredByUs: false });
    around.registry.send({ kind: 'transferred_out', name: 'example.com' });

    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
    expect(await around.registry.poll()).toBeUndefined();
    expect(around.auditEntries.map(({ action }) => action)).toEqual(['domain.registry_message', 'domain.synchronized']);
  });

  it('keeps a change that was made during the check', async () => {
    await given();
    const late = around.registry.next('info').respondsLate();
    const looking = on('2026-12-02');
    await settled();

    await scenario.renewDomain.execute({ ...OURS, domainId: 'dom_1', years: 1 });
    late.release();
    await looking;

    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2028-01-01'), dueAt: at('2027-12-02') });
    expect(around.registry.charges).toHaveLength(1);
  });

  it('ends if a message reports it during a check', async () => {
    await given();
    const late = around.registry.next('info').respondsLate();
    const looking = on('2026-12-02');
    await settled();

    around.registry.hold('example.com', { sponsoredByUs: false });
    around.registry.send({ kind: 'transferred_out', name: 'example.com' });
    const settling = scenario.lifecycle.runDue();
    await settled();
    late.release();
    await Promise.all([looking, settling]);

    expect(domain()).toMatchObject({ status: 'transferred_out' });
    expect(around.log.entries).not.toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  it('ends after a running operation if a message reports it meanwhile', async () => {
    await given();
    const late = around.registry.next('setTransferLock').respondsLate();
    const changing = scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: false });
    await settled();

    around.registry.hold('example.com', { sponsoredByUs: false });
    around.registry.send({ kind: 'transferred_out', name: 'example.com' });
    await scenario.lifecycle.runDue();
    late.release();
    await changing;
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
  });

  it('is not checked again after a rejected registration, even if a message names it meanwhile', async () => {
    around.registry.next('register').isUnreachable();
    around.registry.next('register').isRefused('unavailable');
    const {
      domain: { id },
    } = await scenario.registerDomain.execute({ ...OURS, name: 'new.com', registrant: A_REGISTRANT });
    await settled();
    around.registry.send({ kind: 'other', name: 'new.com' });

    await scenario.lifecycle.runDue();
    await pass(around, 2_000);

    expect(domain(id)).toMatchObject({ status: 'gone' });
    const due = await around.storage.domains.due(new Date('9999-01-01'), 100);
    expect(due.map((each) => each.id)).not.toContain(id);
  });

  it('processes messages while a check of another domain takes long', async () => {
    await given({ dueAt: new Date(around.lifecycleClock.now().getTime() + 12_000) });
    const late = around.registry.next('info').respondsLate();
    scenario.lifecycle.start();

    await pass(around, 16_000);
    const heard = around.registry.callsOf('poll').length;
    late.release();
    await scenario.lifecycle.stop();

    expect(heard).toBe(1);
  });

  it.each([
    ['before', async () => undefined],
    ['while', async () => around.registry.next('poll').respondsLate()],
  ])(
    'is settled only when a look has come to its end that began by itself %s it was to be settled',
    async (when, hearing) => {
      await given({ dueAt: at('2026-03-01') });
      scenario.lifecycle.start();
      around.lifecycleClock.advance({ days: 300 });
      const late = around.registry.next('info').respondsLate();
      const poll = await hearing();
      let isSettled = false;
      const settle = async () => scenario.lifecycle.runDue().then(() => (isSettled = true));

      const settling = when === 'while' ? settle() : undefined;
      await pass(around, 1_000);
      const settlingLate = settling ?? settle();
      poll?.release();
      await settled();
      const meanwhile = isSettled;
      late.release();
      await pass(around, 1_000);
      await settlingLate;
      await scenario.lifecycle.stop();

      expect(meanwhile).toBe(false);
      expect(domain()).toMatchObject({ expiresAt: at('2028-01-01') });
    },
  );

  it('becomes active without a message, too, if the registry had not decided', async () => {
    await given({ status: 'pending', dueAt: null });
    around.registry.hold('example.com', { phase: 'pending_create' });
    await scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: true });
    await scenario.lifecycle.runDue();
    const meanwhile = domain()?.status;

    around.registry.hold('example.com', { phase: 'registered' });
    around.lifecycleClock.advance({ ms: 60 * 60_000 });
    await scenario.lifecycle.runDue();

    expect(meanwhile).toBe('pending');
    expect(domain()).toMatchObject({ status: 'active' });
  });

  it('gets its nameservers when the registry completes a registration without them', async () => {
    await given({ status: 'pending', dueAt: null });
    const hosts = domain()?.nameservers;
    around.registry.hold('example.com', { phase: 'pending_create' });
    await scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: true });
    await scenario.lifecycle.runDue();

    around.registry.hold('example.com', {
      phase: 'registered',
      nameservers: ['ns1.registrar.net', 'ns2.registrar.net'],
    });
    around.lifecycleClock.advance({ ms: 60 * 60_000 });
    await scenario.lifecycle.runDue();

    expect(operations()).toContainEqual(expect.objectContaining({ request: { kind: 'set_nameservers', hosts } }));
  });

  it.each([
    ['gets its registrant when the registry completes a registration with another one', 'Default Contact', 1],
    ['keeps the registrant with which the registry completes a registration', A_REGISTRANT.lastName, 0],
  ])('%s', async (_title, lastName, changes) => {
    await given({ status: 'pending', dueAt: null });
    around.registry.hold('example.com', { phase: 'pending_create' });
    await scenario.changeTransferLock.execute({ ...OURS, domainId: 'dom_1', locked: true });
    await scenario.lifecycle.runDue();

    around.registry.hold('example.com', { phase: 'registered', registrant: { ...A_REGISTRANT, lastName } });
    around.lifecycleClock.advance({ ms: 60 * 60_000 });
    await scenario.lifecycle.runDue();
    around.lifecycleClock.advance({ ms: 60 * 60_000 });
    await scenario.lifecycle.runDue();

    const requests = operations().filter(({ request }) => request.kind === 'set_registrant');
    expect(requests).toHaveLength(changes);
    expect((await around.registry.registrant(DomainName.fromState('example.com')))?.lastName).toBe(
      A_REGISTRANT.lastName,
    );
  });

  it('waits if the registry does not respond, and is checked again', async () => {
    await given();
    around.registry.goDown();
    await on('2026-12-02');
    expect(operations()).toEqual([]);

    around.registry.comeUp();
    around.lifecycleClock.advance({ ms: 5 * 60_000 });
    await scenario.lifecycle.runDue();

    expect(operations()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('withdraws an auth code when its time is over', async () => {
    await given({ autoRenew: false });
    await scenario.issueAuthCode.execute({ ...OURS, domainId: 'dom_1' });
    const until = domain()?.authCodeUntil;

    await on('2026-03-16');

    expect(until).toEqual(at('2026-03-15'));
    expect(domain()).toMatchObject({ authCodeUntil: null });
    expect(around.registry.calls.map(({ command }) => command)).toContain('withdrawAuthCode');
  });
});
