import { SERVICE } from '../../../../src/domain/access/actor';
import { Operation } from '../../../../src/domain/registration/operations/operation';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  pass,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import type { RegistryCommand } from '../../../support/fakes/registry-script';
import { OURS, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };
const RETRIED = 1_250;
const UNDECIDED = 'The registry has not decided on the renewal yet';
const DEFAULT_CONTACT = { ...A_REGISTRANT, firstName: 'Default', lastName: 'Contact' };
/** As the registration asked for. */
const REGISTERED = {
  createdAt: new Date('2026-03-01T00:00:00.000Z'),
  nameservers: ['ns1.default.net', 'ns2.default.net'],
};

describe('commands that must not be repeated', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const commands = (): readonly RegistryCommand[] =>
    around.registry.calls.map(({ command }) => command).filter((command) => command !== 'check' && command !== 'price');
  const register = () => scenario.registerDomain.execute({ ...OURS, name: 'new.com', registrant: A_REGISTRANT });
  const renew = () => scenario.renewDomain.execute(COMMAND);
  const domain = (name: string) => [...around.storage.tables.domains.values()].findLast((each) => each.name === name);

  const errors = () => around.log.entries.filter(({ level }) => level === 'error').map(({ message }) => message);

  beforeEach(async () => {
    ({ around, scenario } = openScenario());
    await around.givenDomain();
  });

  afterEach(() => closeScenarios(around, scenario));

  describe('a registration', () => {
    it('is found if its response was lost, and not paid for again', async () => {
      around.registry.next('register').losesItsResponse();
      await register();

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'registrant']);
      expect(around.registry.charges).toHaveLength(1);
      expect(domain('new.com')).toMatchObject({ status: 'active', expiresAt: new Date('2027-03-01T00:00:00.000Z') });
    });

    it.each([
      ['a creation date without a time', '2026-02-28T00:00:00.000Z'],
      ['a clock that is an hour behind ours', '2026-02-28T23:00:00.000Z'],
    ])('is found after a lost response at a registry with %s', async (_what, createdAt) => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', { ...REGISTERED, createdAt: new Date(createdAt) });

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'registrant']);
      expect(domain('new.com')).toMatchObject({ status: 'active' });
    });

    it('is locked once it is found if it was interrupted before the lock', async () => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', { ...REGISTERED, transferLocked: false });

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'setTransferLock', 'registrant']);
      expect(domain('new.com')).toMatchObject({ status: 'active', transferLocked: true });
    });

    it('is not locked after a restored backup if the customer has unlocked it since', async () => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', { ...REGISTERED, transferLocked: false });
      await around.storage.run(async ({ domains }) => {
        const pending = await domains.lockAny(domain('new.com')?.id ?? '');
        pending?.setTransferLock(false, around.clock.now());
        if (pending) await domains.save(pending);
      });

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'registrant']);
      expect(domain('new.com')).toMatchObject({ status: 'active', transferLocked: false });
    });

    it.each([
      ['shows a default contact', DEFAULT_CONTACT],
      ['shows no registrant', undefined],
    ])('gets its registrant after an interruption before it was set if the registry %s', async (_what, shown) => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', REGISTERED);
      jest.spyOn(around.registry, 'registrant').mockResolvedValue(shown);
      const set = jest.spyOn(around.registry, 'setRegistrant');

      await pass(around, RETRIED);

      expect(set).toHaveBeenCalledWith(expect.objectContaining({ value: 'new.com' }), A_REGISTRANT, expect.any(String));
      expect(domain('new.com')).toMatchObject({ status: 'active', registrant: A_REGISTRANT });
      expect(errors()).toEqual([]);
    });

    it('keeps a registrant that the registry shows in other letter case and spacing', async () => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', REGISTERED);
      const shown = { ...A_REGISTRANT, lastName: ` ${A_REGISTRANT.lastName.toUpperCase()}` };
      jest.spyOn(around.registry, 'registrant').mockResolvedValue(shown);

      await pass(around, RETRIED);

      expect(commands()).not.toContain('setRegistrant');
    });

    it('leaves a rejected registrant to the account, with the reason on the operation and in the audit log', async () => {
      around.registry.next('register').isUnreachable();
      around.registry.next('setRegistrant').isRefused('policy', 'No such person');
      await register();
      around.registry.hold('new.com', REGISTERED);
      jest.spyOn(around.registry, 'registrant').mockResolvedValue(DEFAULT_CONTACT);

      await pass(around, RETRIED);

      expect(domain('new.com')).toMatchObject({ status: 'active' });
      expect(errors()).toEqual([expect.stringContaining('another registrant')]);
      expect([...around.storage.tables.operations.values()].at(-1)).toMatchObject({
        status: 'succeeded',
        request: { kind: 'register', registrantRefused: 'No such person' },
      });
      expect(around.auditEntries.at(-1)).toMatchObject({
        action: 'domain.registrant_refused',
        actor: SERVICE,
        domain: { name: 'new.com' },
        after: { reason: 'No such person' },
      });
    });

    it('is delegated once it is found if it was interrupted before its nameservers were set', async () => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', { ...REGISTERED, nameservers: ['ns1.registrar.net', 'ns2.registrar.net'] });

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'setNameservers', 'registrant']);
      expect(domain('new.com')).toMatchObject({ status: 'active', nameservers: REGISTERED.nameservers });
    });

    it('keeps the nameservers that it has if its own are rejected', async () => {
      around.registry.next('register').isUnreachable();
      around.registry.next('setNameservers').isRefused('policy');
      await register();
      around.registry.hold('new.com', { ...REGISTERED, nameservers: ['ns1.registrar.net', 'ns2.registrar.net'] });

      await pass(around, RETRIED);

      expect(domain('new.com')).toMatchObject({
        status: 'active',
        nameservers: ['ns1.registrar.net', 'ns2.registrar.net'],
      });
    });

    it('stays pending while the registry has not decided', async () => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', { createdAt: new Date('2026-03-01T00:00:00.000Z'), phase: 'pending_create' });

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info']);
      expect(domain('new.com')).toMatchObject({ status: 'pending' });
    });

    it('is still a registration if it cannot be locked', async () => {
      around.registry.next('register').isUnreachable();
      around.registry.next('setTransferLock').isRefused('status');
      await register();
      around.registry.hold('new.com', { createdAt: new Date('2026-03-01T00:00:00.000Z'), transferLocked: false });

      await pass(around, RETRIED);

      expect(domain('new.com')).toMatchObject({ status: 'active', transferLocked: false });
    });

    it('is checked at the registry and then repeated if it never arrived', async () => {
      around.registry.next('register').isUnreachable();
      await register();

      await pass(around, RETRIED);

      expect(commands()).toEqual(['register', 'info', 'register']);
      expect(around.registry.charges).toHaveLength(1);
      expect(domain('new.com')).toMatchObject({ status: 'active' });
    });

    it.each([
      ['another registrar', { sponsoredByUs: false }],
      ['us, by a transfer and not by this registration', { createdByUs: false }],
      ['us, since before it was asked for', { createdAt: new Date('2026-02-01T00:00:00.000Z') }],
      ['us, but was deleted', { phase: 'pending_delete' as const }],
    ])('is not taken to have succeeded where the name is held by %s', async (_whom, facts) => {
      around.registry.next('register').isUnreachable();
      await register();
      around.registry.hold('new.com', facts);

      await pass(around, RETRIED);

      expect(domain('new.com')).toMatchObject({ status: 'gone' });
      expect(around.registry.charges).toEqual([]);
    });

    it('is found if it arrived late, between the check and the repetition', async () => {
      around.registry.next('register').isUnreachable();
      const looking = around.registry.next('info').respondsLate();
      await register();
      await pass(around, RETRIED);
      around.registry.hold('new.com', { nameservers: REGISTERED.nameservers });
      looking.release();
      await settled();

      expect(commands()).toEqual(['register', 'info', 'register', 'info', 'registrant']);
      expect(domain('new.com')).toMatchObject({ status: 'active', nameservers: REGISTERED.nameservers });
    });
  });

  describe('a renewal', () => {
    it('is found if its response was lost, and not paid for again', async () => {
      around.registry.next('renew').losesItsResponse();
      const renewing = renew();

      await pass(around, RETRIED);
      await renewing;

      expect(commands()).toEqual(['renew', 'info']);
      expect(around.registry.charges).toHaveLength(1);
      expect(domain('example.com')).toMatchObject({ expiresAt: new Date('2028-01-01T00:00:00.000Z') });
    });

    it('is checked at the registry and then repeated if it never arrived', async () => {
      around.registry.next('renew').isUnreachable();
      const renewing = renew();

      await pass(around, RETRIED);
      await renewing;

      expect(commands()).toEqual(['renew', 'info', 'renew']);
      expect(around.registry.charges).toHaveLength(1);
    });

    it('is found if it arrived late, between the check and the repetition', async () => {
      around.registry.next('renew').isUnreachable();
      const looking = around.registry.next('info').respondsLate();
      const renewing = renew();
      await pass(around, RETRIED);
      around.registry.hold('example.com', { expiresAt: new Date('2028-01-01T00:00:00.000Z') });
      looking.release();

      await renewing;

      expect(around.registry.charges).toEqual([]);
      expect(domain('example.com')).toMatchObject({ expiresAt: new Date('2028-01-01T00:00:00.000Z') });
    });

    it('adopts the year that the registry has added automatically at expiry, and orders nothing', async () => {
      around.registry.hold('example.com', {
        phase: 'auto_renew_grace',
        expiresAt: new Date('2028-01-01T00:00:00.000Z'),
      });

      await renew();

      expect(around.registry.charges).toEqual([]);
      expect(domain('example.com')).toMatchObject({ expiresAt: new Date('2028-01-01T00:00:00.000Z') });
    });

    it('orders only the years beyond those that the registry has added', async () => {
      around.registry.hold('example.com', {
        phase: 'auto_renew_grace',
        expiresAt: new Date('2028-01-01T00:00:00.000Z'),
      });

      await scenario.renewDomain.execute({ ...COMMAND, years: 3 });

      expect(around.registry.charges).toMatchObject([{ kind: 'renew', amount: { minor: 24_00 } }]);
      expect(domain('example.com')).toMatchObject({ expiresAt: new Date('2030-01-01T00:00:00.000Z') });
    });

    it.each([
      ['granted', { expiresAt: new Date('2028-01-01T00:00:00.000Z') }, { status: 'succeeded', error: null }],
      ['refused', {}, { status: 'failed', error: { message: 'The registry has not granted the renewal' } }],
    ])('is sent once if the registry decides later, and ends when it is %s', async (_how, decided, end) => {
      const sent = jest.spyOn(around.registry, 'renew').mockImplementation(async (name) => {
        around.registry.hold(name.value, { renewalPending: true });
        return (await around.registry.info(name)) ?? Promise.reject(new TypeError('not held'));
      });
      const outcome = Promise.allSettled([renew()]);
      await pass(around, 10 * RETRIED);
      const [waiting] = around.storage.tables.operations.values();
      expect(waiting).toMatchObject({ status: 'uncertain', error: { message: UNDECIDED } });
      await expect(renew()).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' });

      around.registry.hold('example.com', { renewalPending: false, ...decided });
      await pass(around, 10 * RETRIED);
      await outcome;

      expect(sent).toHaveBeenCalledTimes(1);
      expect([...around.storage.tables.operations.values()]).toMatchObject([end]);
    });

    it('is not ours if we no longer sponsor the domain', async () => {
      around.registry.next('renew').losesItsResponse();
      const outcome = Promise.allSettled([renew()]);
      await settled();
      around.registry.hold('example.com', { sponsoredByUs: false });

      await pass(around, RETRIED);

      expect(await outcome).toMatchObject([{ status: 'rejected', reason: { code: 'REGISTRY_REJECTED' } }]);
    });
  });

  it('does not delay a repeatable command for a check', async () => {
    around.registry.next('setTransferLock').losesItsResponse();
    const unlocking = scenario.changeTransferLock.execute({ ...COMMAND, locked: false });

    await pass(around, RETRIED);
    await unlocking;

    expect(commands()).toEqual(['setTransferLock', 'setTransferLock']);
  });

  it('issues another auth code after a lost response and returns that one', async () => {
    around.registry.next('issueAuthCode').losesItsResponse();
    const issuing = scenario.issueAuthCode.execute(COMMAND);

    await pass(around, RETRIED);
    const { authCode } = await issuing;

    expect(authCode?.code).toBe('auth-code-2');
  });

  it('does not affect an auth code that is newer than the withdrawal', async () => {
    await scenario.issueAuthCode.execute(COMMAND);
    const withdrawal = Operation.queue(
      { id: 'op_w', ...COMMAND, actor: SERVICE, request: { kind: 'withdraw_auth_code' } },
      around.clock.now(),
    );
    await around.storage.run(({ operations }) => operations.add(withdrawal));

    scenario.runner.wake({ id: 'dom_1', name: 'example.com', accountId: OURS.accountId });
    await settled();

    expect(around.storage.tables.operations.get('op_w')).toMatchObject({ status: 'succeeded' });
    expect(commands()).toEqual(['issueAuthCode']);
    expect(domain('example.com')?.authCodeUntil).toEqual(new Date('2026-03-15T00:00:00.000Z'));
  });
});
