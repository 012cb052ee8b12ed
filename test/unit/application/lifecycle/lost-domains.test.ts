import { SERVICE } from '../../../../src/domain/access/actor';
import type { DomainState } from '../../../../src/domain/registration/domain';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import type { OperationRequest } from '../../../../src/domain/registration/operations/operation-request';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { aRecord } from '../../../support/data/a-record';
import { dnsUseCases } from '../../../support/use-cases/dns-use-cases';
import {
  closeScenarios,
  openScenario,
  pass,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAMESERVER_CHANGE = { ...OURS, domainId: 'dom_1', hosts: ['ns1.example.org', 'ns2.example.org'] };
const at = (day: string) => new Date(`${day}T00:00:00.000Z`);

describe('a domain whose data differ at the registry', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const domain = (id = 'dom_1') => around.storage.tables.domains.get(id);
  const given = async (overrides: Partial<DomainState> = {}) =>
    around.givenDomain({ id: 'dom_1', expiresAt: at('2027-01-01'), ...overrides });

  /** Runs an operation of the service to its end. */
  const runForService = async (request: OperationRequest) => {
    const intent = { id: around.ids.next('op'), accountId: OURS.accountId, domainId: 'dom_1', actor: SERVICE };
    await around.storage.run(({ operations }) =>
      operations.add(Operation.queue({ ...intent, request }, around.clock.now())),
    );
    await pass(around, 1_000);
  };

  beforeEach(() => {
    ({ around, scenario } = openScenario());
  });
  afterEach(() => closeScenarios(around, scenario));

  it('becomes transferred_out at once after a command is refused because another registrar holds it', async () => {
    await given();
    around.registry.hold('example.com', { sponsoredByUs: false });

    await expect(scenario.changeNameservers.execute(NAMESERVER_CHANGE)).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
    });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
    expect(around.auditEntries.at(-1)).toMatchObject({
      action: 'domain.synchronized',
      actor: { kind: 'service' },
      after: { status: 'transferred_out' },
    });
  });

  it('becomes transferred_out at once after the registry refuses new addresses of a nameserver because another registrar holds the domain', async () => {
    await given({ nameservers: ['ns1.example.com', 'ns2.other.net'] });
    await around.givenRecords('dom_1', [aRecord({ name: 'ns1', content: '192.0.2.1' }, 'rec_1')]);
    around.registry.hold('example.com', { sponsoredByUs: false });

    const command = { ...OURS, domainId: 'dom_1', recordId: 'rec_1' };
    await dnsUseCases(around).changeRecord.execute({ ...command, patch: { content: '192.0.2.9' } });
    await pass(around, 1_000);
    await scenario.lifecycle.runDue();

    expect(around.registry.callsOf('setGlue')).toHaveLength(1);
    expect(domain()).toMatchObject({ status: 'transferred_out' });
  });

  it.each<OperationRequest>([
    { kind: 'set_registrant', registrant: A_REGISTRANT },
    { kind: 'set_transfer_lock', locked: true },
    { kind: 'set_delegation_signers', signers: [] },
    { kind: 'renew', years: 1, price: { minor: 1_000, currency: 'USD' }, currentExpiry: '2027-01-01T00:00:00.000Z' },
  ])('becomes transferred_out at once after the service’s own command is refused: $kind', async (request) => {
    await given();
    around.registry.hold('example.com', { sponsoredByUs: false });

    await runForService(request);
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
  });

  it('ends with a command that is refused because the registry has deleted it', async () => {
    await given();
    around.registry.letGo('example.com');

    await expect(scenario.changeNameservers.execute(NAMESERVER_CHANGE)).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
    });

    expect(domain()).toMatchObject({ status: 'gone' });
    expect(around.auditEntries.at(-1)).toMatchObject({
      action: 'domain.synchronized',
      actor: { kind: 'service' },
      after: { status: 'gone' },
    });
  });

  it('stays if a command is rejected as not held and the registry does not say whether it has the domain', async () => {
    await given();
    around.registry.next('setNameservers').isRefused('not_held');
    around.registry.next('info').isUnreachable();

    await expect(scenario.changeNameservers.execute(NAMESERVER_CHANGE)).rejects.toMatchObject({
      code: 'REGISTRY_REJECTED',
    });
    expect(domain()).toMatchObject({ status: 'active', dueAt: around.lifecycleClock.now() });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'active', dueAt: at('2026-12-02') });
  });

  it.each(['status', 'expiry_differs'] as const)(
    'adopts the registry’s facts at once after a command is refused with the reason %s',
    async (reason) => {
      await given();
      around.registry.hold('example.com', { phase: 'redemption', phaseEndsAt: at('2026-04-01') });
      around.registry.next('setNameservers').isRefused(reason);

      await expect(scenario.changeNameservers.execute(NAMESERVER_CHANGE)).rejects.toMatchObject({
        code: 'REGISTRY_REJECTED',
      });
      await scenario.lifecycle.runDue();

      expect(domain()).toMatchObject({ status: 'redemption', dueAt: at('2026-04-01') });
    },
  );

  it('is checked every hour while a transfer is pending, until it is gone to the other registrar', async () => {
    await given();
    around.registry.hold('example.com', { transferPending: true });
    around.registry.send({ kind: 'changed', name: 'example.com' });
    await scenario.lifecycle.runDue();
    expect(domain()).toMatchObject({ status: 'active', transferPending: true });

    around.registry.hold('example.com', { transferPending: false });
    await scenario.changeRegistrant.execute({ ...OURS, domainId: 'dom_1', registrant: A_REGISTRANT });
    around.registry.hold('example.com', { sponsoredByUs: false, transferPending: true });
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out', transferPending: false });
  });

  it('is checked at once if the response to a command shows a pending transfer', async () => {
    await given();
    jest.spyOn(around.registry, 'setNameservers').mockImplementation(async (name) => {
      around.registry.hold(name.value, { transferPending: true });
      return (await around.registry.info(name)) ?? Promise.reject(new TypeError('not held'));
    });

    await scenario.changeNameservers.execute(NAMESERVER_CHANGE);
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'active', transferPending: true });
  });

  it('becomes transferred_out when its renewal is due, although the registry prices no renewal of another registrar’s name', async () => {
    await given({ expiresAt: at('2026-03-10'), dueAt: at('2026-03-01') });
    around.registry.hold('example.com', { sponsoredByUs: false });
    around.registry.next('price').isRefused('not_held');

    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'transferred_out' });
    expect(around.registry.callsOf('price')).toEqual([]);
  });

  it('adopts the registry’s data when its renewal is due and cannot be priced, and is renewed an hour later', async () => {
    await given({ expiresAt: at('2026-03-10'), dueAt: at('2026-03-01') });
    around.registry.hold('example.com', { transferLocked: false, expiresAt: at('2026-03-10') });
    around.registry.next('price').isUnreachable();

    await scenario.lifecycle.runDue();
    const first = domain();
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(first).toMatchObject({ transferLocked: false, expiresAt: at('2026-03-10') });
    expect(domain()).toMatchObject({ expiresAt: at('2027-03-10') });
  });

  it('retries a deletion that the registry rejects after an hour, not at once', async () => {
    await given({ autoRenew: false, status: 'expired', expiresAt: at('2026-01-01'), dueAt: at('2026-03-01') });
    for (const _ of [1, 2, 3]) around.registry.next('delete').isRefused('status');

    await scenario.lifecycle.runDue();
    await scenario.lifecycle.runDue();
    expect(around.registry.callsOf('delete')).toHaveLength(1);
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(around.registry.callsOf('delete')).toHaveLength(2);
  });

  it.each(['redemption', 'registered'] as const)(
    'leaves pending_delete if the registry shows it as %s afterwards, with the transfer lock of before',
    async (phase) => {
      await given({ status: 'pending_delete', transferLocked: true, dueAt: at('2026-03-01') });
      around.registry.hold('example.com', {
        phase,
        transferLocked: false,
        expiresAt: at('2027-01-01'),
        ...(phase === 'redemption' && { phaseEndsAt: at('2026-04-01') }),
      });

      await scenario.lifecycle.runDue();

      const status = phase === 'redemption' ? 'redemption' : 'active';
      expect(domain()).toMatchObject({ status, transferLocked: true });
    },
  );

  it.each(['2026-01-01', '2026-02-20'])(
    'keeps its expiry with auto-renewal off and is checked daily while the registry shows the past expiry %s',
    async (day) => {
      await given({ autoRenew: false, dueAt: at('2026-03-01') });
      around.registry.hold('example.com', { expiresAt: at(day) });
      await scenario.lifecycle.runDue();

      expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01'), dueAt: at('2026-03-02') });
      expect(around.log.entries.at(-1)).toMatchObject({ level: 'error', facts: { atRegistry: at(day) } });
      around.registry.hold('example.com', { expiresAt: at('2027-01-01') });
      around.lifecycleClock.advance({ days: 1 });
      await scenario.lifecycle.runDue();

      expect(around.registry.callsOf('delete')).toEqual([]);
      expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01'), dueAt: at('2027-01-01') });
    },
  );

  it('shows a pending transfer, the nameservers and the lock at a registry whose past expiry is not adopted', async () => {
    await given({ autoRenew: false, transferLocked: true, dueAt: at('2026-03-01') });
    around.registry.hold('example.com', {
      expiresAt: at('2026-02-20'),
      transferPending: true,
      nameservers: ['ns1.example.org', 'ns2.example.org'],
    });
    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({
      status: 'active',
      expiresAt: at('2027-01-01'),
      transferPending: true,
      nameservers: ['ns1.example.org', 'ns2.example.org'],
      dueAt: new Date('2026-03-01T01:00:00.000Z'),
    });
    around.registry.hold('example.com', { transferPending: false, transferLocked: false });
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(around.registry.callsOf('delete')).toEqual([]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01'), transferPending: false });
  });

  it('leaves redemption after a restore although the registry shows a past expiry', async () => {
    await given({ status: 'redemption', renewalTriedAt: at('2026-03-01'), dueAt: at('2026-03-01') });
    around.registry.hold('example.com', { expiresAt: at('2026-02-20') });

    await scenario.lifecycle.runDue();

    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01') });
  });

  it('is not renewed twice within a day while the registry shows the expiry of before', async () => {
    await given({ renewalTriedAt: at('2026-03-01'), dueAt: at('2026-03-01') });
    around.registry.hold('example.com', { expiresAt: at('2026-01-20') });

    await scenario.lifecycle.runDue();

    expect(around.registry.callsOf('renew')).toEqual([]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01'), dueAt: at('2026-03-02') });
  });

  it('is renewed with auto-renewal on, not deleted, if the registry moves its expiry back', async () => {
    await given({ renewalTriedAt: at('2025-12-10'), dueAt: at('2026-03-01') });
    around.registry.hold('example.com', { expiresAt: at('2026-01-01') });

    await scenario.lifecycle.runDue();
    around.lifecycleClock.advance({ ms: 3_600_000 });
    await scenario.lifecycle.runDue();

    expect(around.registry.callsOf('delete')).toEqual([]);
    expect(domain()).toMatchObject({ status: 'active', expiresAt: at('2027-01-01') });
  });
});
