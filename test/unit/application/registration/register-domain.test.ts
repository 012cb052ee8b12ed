import { DomainName } from '../../../../src/domain/shared/domain-name';
import type { RegisterDomainCommand } from '../../../../src/application/registration/register-domain';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import {
  closeScenarios,
  openScenario,
  settled,
  type RegistrationScenario,
} from '../../../support/use-cases/registration-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const COMMAND: RegisterDomainCommand = { ...OURS, name: 'example.com', registrant: A_REGISTRANT };

describe('registering a domain', () => {
  let around: UseCaseContext;
  let scenario: RegistrationScenario;
  const register = (rest: Partial<RegisterDomainCommand> = {}) =>
    scenario.registerDomain.execute({ ...COMMAND, ...rest });
  const domains = () => [...around.storage.tables.domains.values()];

  beforeEach(() => {
    ({ around, scenario } = openScenario());
  });

  afterEach(() => closeScenarios(around, scenario));

  it('returns a pending domain with the defaults at once, before the registry is called', async () => {
    const { domain } = await register();

    const now = around.lifecycleClock.now();
    expect(domain.toState()).toEqual({
      id: domain.id,
      accountId: OURS.accountId,
      name: 'example.com',
      tags: [],
      status: 'pending',
      expiresAt: new Date('2027-03-01T00:00:00.000Z'),
      autoRenew: true,
      transferLocked: true,
      nameservers: ['ns1.default.net', 'ns2.default.net'],
      registrant: A_REGISTRANT,
      phaseEndsAt: null,
      registrarRenews: false,
      renewalTriedAt: null,
      authCodeUntil: null,
      dueAt: null,
      transferPending: false,
      transferRequestedAt: null,
      transferEndsAt: null,
      registeredAt: null,
      inBackup: null,
      keptZone: null,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('stores the language of an internationalized name before the registry gets it', async () => {
    const atRegistry = jest.spyOn(around.registry, 'register');

    const { operation } = await register({ name: 'münchen.de', idnLanguage: 'fr' });
    await settled();

    expect(operation.request).toMatchObject({ kind: 'register', idnLanguage: 'fr' });
    expect(atRegistry).toHaveBeenCalledWith(expect.objectContaining({ idnLanguage: 'fr' }));
    await expect(register({ name: 'zürich.de', idnLanguage: 'it' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it("makes the registry's facts its own once they are known", async () => {
    await register({ years: 3, nameservers: ['NS1.Example.NET.', 'ns2.example.net'], autoRenew: false });
    await settled();

    expect(domains()).toMatchObject([
      {
        status: 'active',
        expiresAt: new Date('2029-03-01T00:00:00.000Z'),
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        autoRenew: false,
      },
    ]);
    expect(around.registry.charges).toEqual([
      { kind: 'register', name: 'example.com', amount: { minor: 3000, currency: 'USD' } },
    ]);
  });

  it('gives the domain an empty zone at once', async () => {
    const { domain } = await register();

    expect(around.storage.tables.zones.get(domain.id)).toMatchObject({ records: [] });
  });

  it('records the request, its actor and its outcome', async () => {
    await register();
    await settled();

    expect(around.auditEntries).toMatchObject([
      {
        ...OURS,
        action: 'domain.requested',
        domain: { name: 'example.com' },
        before: {},
        after: { status: 'pending' },
      },
      { ...OURS, action: 'domain.registered', before: { status: 'pending' }, after: { status: 'active' } },
    ]);
  });

  it('stores an internationalized name as its A-label', async () => {
    expect((await register({ name: 'MÜNCHEN.com' })).domain.toState().name).toBe('xn--mnchen-3ya.com');
  });

  it('is charged once if the database repeats every unit of work', async () => {
    around.storage.repeatEveryUnit();

    await register();
    await settled();

    expect(domains()).toMatchObject([{ status: 'active' }]);
    expect(around.registry.charges).toHaveLength(1);
    expect(around.auditEntries).toHaveLength(2);
  });

  it('gives a name to one of many simultaneous requests', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => register({ accountId: `acc_${index}` })),
    );
    await settled();

    expect(
      attempts
        .map((attempt) => (attempt.status === 'fulfilled' ? 'registered' : (attempt.reason as Error).name))
        .toSorted(),
    ).toEqual([...Array(4).fill('DomainUnavailable'), 'registered']);
    expect(around.registry.charges).toHaveLength(1);
  });

  it('leaves only the audit entry if the registry rejects the name in the end, and the name is available again', async () => {
    around.registry.next('register').isRefused('unavailable', 'another registrar was faster');

    await register();
    await settled();

    expect(domains()).toMatchObject([{ status: 'gone' }]);
    expect(around.auditEntries.at(-1)).toMatchObject({ action: 'domain.refused', after: { status: 'gone' } });
    expect(around.registry.charges).toEqual([]);
    await register(STRANGER);
    await settled();
    expect(domains().at(-1)).toMatchObject({ status: 'active', accountId: STRANGER.accountId });
  });

  it('logs an ERROR if a registry refuses what it had offered', async () => {
    around.registry.next('register').isRefused('credit');

    await register();
    await settled();

    expect(around.log.entries).toMatchObject([{ level: 'error', facts: { kind: 'register', reason: 'credit' } }]);
  });

  it('is rejected and not stored if the price is not the agreed one', async () => {
    await expect(register({ years: 2, limit: { maxPrice: { minor: 10_00, currency: 'USD' } } })).rejects.toMatchObject({
      reason: 'price_changed',
    });
    expect(domains()).toEqual([]);

    await register({ years: 2, limit: { maxPrice: { minor: 20_00, currency: 'USD' } } });
    await settled();
    expect(domains()).toMatchObject([{ status: 'active' }]);
  });

  it('is rejected if the registry returns a price and does not offer the name', async () => {
    const price = await around.registry.price(DomainName.fromState('example.com'));
    Object.assign(around.registry, {
      check: async ([name]: readonly DomainName[]) => [{ name, available: false, price }],
    });

    await expect(register()).rejects.toMatchObject({ code: 'DOMAIN_UNAVAILABLE' });
    expect(domains()).toEqual([]);
  });

  it('pays no more than agreed: a price that rose in between is rejected', async () => {
    const late = around.registry.next('check').respondsLate();
    const registering = register();
    await settled();
    around.registry.setPrice('example.com', { registration: { minor: 99_00, currency: 'USD' } });
    late.release();

    await registering;
    await settled();

    expect(around.registry.charges).toEqual([]);
    expect(domains()).toMatchObject([{ status: 'gone' }]);
  });

  it.each<[string, string, Partial<RegisterDomainCommand>]>([
    ['of what is no name', 'VALIDATION_ERROR', { name: 'no name' }],
    ['of a name with two labels under its TLD', 'DOMAIN_UNAVAILABLE', { name: 'www.example.com' }],
    ['of a suffix', 'DOMAIN_UNAVAILABLE', { name: 'co.uk' }],
    ['under a TLD that is not served', 'DOMAIN_UNAVAILABLE', { name: 'example.zz' }],
    ['of a name that is held by others', 'DOMAIN_UNAVAILABLE', { name: 'taken.com' }],
    ['of a name that we hold already', 'DOMAIN_UNAVAILABLE', { name: 'ours.com' }],
    ['for no years', 'VALIDATION_ERROR', { years: 0 }],
    ['for eleven years', 'VALIDATION_ERROR', { years: 11 }],
    ['for more years than the TLD sells', 'VALIDATION_ERROR', { name: 'example.de', years: 2 }],
    ['with one nameserver', 'INVALID_NAMESERVERS', { nameservers: ['ns1.example.net'] }],
    ['with an address for a nameserver', 'INVALID_NAMESERVERS', { nameservers: ['ns1.example.net', '192.0.2.1'] }],
    [
      'with fewer nameservers than the TLD asks for',
      'INVALID_NAMESERVERS',
      { name: 'example.is', nameservers: ['ns1.example.net', 'ns2.example.net'] },
    ],
    [
      'with a registrant who has no such country',
      'VALIDATION_ERROR',
      { registrant: { ...A_REGISTRANT, address: { ...A_REGISTRANT.address, country: 'XX' } } },
    ],
  ])('%s is refused, and leaves nothing behind', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_ours', name: 'ours.com' });
    around.registry.hold('taken.com', { sponsoredByUs: false });
    const before = around.storage.tables;

    await expect(register(rest)).rejects.toMatchObject({ code });

    await settled();
    expect(around.storage.tables).toEqual(before);
    expect(around.registry.callsOf('register')).toEqual([]);
  });

  it('is rejected if the registry is not reachable, and stores nothing', async () => {
    around.registry.goDown();

    await expect(register()).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });

    expect(domains()).toEqual([]);
    expect(around.auditEntries).toEqual([]);
  });
});
