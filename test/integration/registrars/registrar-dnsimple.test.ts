import {
  DomainName,
  RegistryNotContacted,
  RegistryUnavailable,
  type Registrant,
  type RegistryAdapter,
} from '../../../src/adapter';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { addYears, sameDay } from '../../../src/domain/shared/time/calendar';
import { startDnsimple, validateDnsimpleSettings } from '../../../src/infrastructure/registry/dnsimple/start-dnsimple';
import { createRegistryContext, type RecordedVendor, type VendorFault } from '../../../src/testing';
import { HOSTS, REGISTRANT } from '../../../src/testing/registry-fixtures';
import {
  DNSIMPLE_CREDENTIALS,
  DNSIMPLE_TOKEN_WITHOUT_INVOICES,
  dnsimpleServer,
} from '../../support/registrars/dnsimple-server';

const TLDS = ['com', 'nl'];
const settings = DNSIMPLE_CREDENTIALS;
const usd = (minor: number) => ({ minor, currency: 'USD' });
const named = (name: string) => DomainName.fromState(name);
const years = (count: number) => RegistrationTerm.ofYears(count);
const UNKNOWN = { code: 'REGISTRY_UNAVAILABLE' };

describe('the DNSimple adapter', () => {
  let vendor: RecordedVendor;
  let url: string;
  let registry: RegistryAdapter;

  async function open(token = settings.token): Promise<RegistryAdapter> {
    const context = createRegistryContext({ settings: { ...settings, token, url }, tlds: TLDS });
    return (await startDnsimple({ ...context, clock: { now: () => vendor.state.now() } })).port;
  }

  beforeEach(async () => {
    vendor = dnsimpleServer();
    url = await vendor.start();
    registry = await open();
  });
  afterEach(async () => {
    await vendor.stop();
    vendor.assertNoViolations();
  });

  const register = (name: string, { price = 1_400, registrant = REGISTRANT }: Options = {}) =>
    registry.register({
      name: named(name),
      term: years(1),
      registrant,
      nameservers: HOSTS,
      price: usd(price),
      transactionId: 'op-1',
    });
  const requestTransfer = (name: string, authCode: string) =>
    registry.requestTransfer({
      name: named(name),
      term: years(1),
      registrant: REGISTRANT,
      authCode,
      price: usd(1_500),
      transactionId: 'op-1',
    });
  const renewOther = async (name: string) => {
    const { expiresAt } = await register(name);
    await registry.renew(named(name), expiresAt, years(1), 'op-3', usd(1_600));
  };
  const served = () => vendor.served.map(({ operation }) => operation);
  const lose = (operation: string, kind: VendorFault['kind'] = 'lost_response') =>
    vendor.injectFault({ kind, operations: [operation] });

  it('registers a name with five requests, its own nameservers and without automatic renewal', async () => {
    const registered = await register('five.com');

    expect(served()).toEqual([
      'getDomainPrices',
      'createContact',
      'registerDomain',
      'getDomain',
      'changeDomainDelegation',
    ]);
    expect(registered).toMatchObject({ phase: 'registered', transferLocked: true, registrarRenews: false });
    expect(await registry.info(named('five.com'))).toEqual(registered);
    expect(vendor.state.held('five.com')?.nameservers).toEqual(HOSTS.hosts);
  });

  it('deletes the contact of a registration that DNSimple rejects', async () => {
    await register('taken.com');

    await expect(register('taken.com')).rejects.toMatchObject({ reason: 'unavailable' });

    expect(vendor.state.contacts.size).toBe(1);
    expect(vendor.state.ledger).toHaveLength(1);
  });

  it('confirms the price of a premium name, and buys none at another price', async () => {
    await expect(register('premium-name.com')).rejects.toMatchObject({ reason: 'price_changed' });
    await register('premium-name.com', { price: 14_000 });

    expect(vendor.state.ledger.map(({ amount }) => amount)).toEqual([14_000]);
  });

  it('returns a registration that DNSimple has not completed as pending, and is undecided until it has', async () => {
    expect(await register('slow.com')).toMatchObject({ phase: 'pending_create', sponsoredByUs: true });
    await expect(registry.info(named('slow.com'))).rejects.toMatchObject({ ...UNKNOWN, details: expect.any(String) });

    vendor.state.advance(1);

    expect(await registry.info(named('slow.com'))).toMatchObject({ phase: 'registered', createdByUs: true });
    expect(vendor.state.ledger).toHaveLength(1);
  });

  it('renews for several years at once at the multiple of the fee of one year', async () => {
    const { expiresAt } = await register('long.com');
    const { renewal } = await registry.price(named('long.com'), years(3));

    const renewed = await registry.renew(named('long.com'), expiresAt, years(3), 'op-2', renewal);

    expect(renewal).toEqual(usd(4_800));
    expect(sameDay(renewed.expiresAt, addYears(expiresAt, 3))).toBe(true);
    expect(vendor.state.ledger.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['registration', 1_400],
      ['renewal', 4_800],
    ]);
  });

  it.each(['lost_response', 'truncated'] as const)(
    'buys nothing twice after a registration and a renewal with the fault %s',
    async (kind) => {
      lose('registerDomain', kind);
      await expect(register('once.com')).rejects.toMatchObject(UNKNOWN);
      await expect(register('once.com')).rejects.toMatchObject({ reason: 'unavailable' });
      const held = await registry.info(named('once.com'));
      const expiresAt = held?.expiresAt ?? new Date(0);
      lose('domainRenew', kind);
      await expect(registry.renew(named('once.com'), expiresAt, years(1), 'op-2')).rejects.toMatchObject(UNKNOWN);

      await expect(registry.renew(named('once.com'), expiresAt, years(1), 'op-2')).rejects.toMatchObject({
        reason: 'expiry_differs',
      });

      expect(held).toMatchObject({ sponsoredByUs: true, createdByUs: true });
      expect(vendor.state.ledger.map((entry) => entry.kind)).toEqual(['registration', 'renewal']);
    },
  );

  it('reports an unknown outcome if a request after the purchase fails, and has bought the name', async () => {
    vendor.injectFault({ kind: 'rate_limited', operations: ['changeDomainDelegation'] });

    const error: unknown = await register('part.com').catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(RegistryUnavailable);
    expect(error).not.toBeInstanceOf(RegistryNotContacted);
    expect(vendor.state.held('part.com')).toBeDefined();
  });

  it('sends no more reads until the time that DNSimple asks for after a 429', async () => {
    vendor.injectFault({ kind: 'rate_limited', retryAfterSeconds: 60 });

    const errors = await Promise.all(
      [1, 2].map(async () => registry.info(named('limited.com')).catch((reason: unknown) => reason)),
    );
    await expect(registry.info(named('limited.com'))).rejects.toMatchObject({ ...UNKNOWN, retryAfterSeconds: 60 });

    expect(errors[0]).toMatchObject({ retryAfterSeconds: 60 });
    // Searches and prices have another limit.
    expect(vendor.served.filter(({ operation }) => operation === 'getDomain').length).toBeLessThanOrEqual(2);
  });

  it('requests a transfer, shows it as pending and completed, and cancels another', async () => {
    const { authCode } = vendor.state.addDomainElsewhere('coming.com');
    const other = vendor.state.addDomainElsewhere('staying.com');

    expect(await requestTransfer('coming.com', authCode)).toMatchObject({ direction: 'in', status: 'pending' });
    expect(await registry.info(named('coming.com'))).toMatchObject({ sponsoredByUs: false, transferPending: true });
    await requestTransfer('staying.com', other.authCode);
    expect(await registry.cancelTransfer(named('staying.com'), 'op-2')).toMatchObject({ status: 'cancelled' });
    vendor.state.advance(6);

    expect(await registry.transferStatus(named('coming.com'))).toMatchObject({ status: 'completed' });
    expect(await registry.info(named('coming.com'))).toMatchObject({ sponsoredByUs: true, createdByUs: false });
    expect(await registry.info(named('staying.com'))).toMatchObject({ sponsoredByUs: false, transferPending: false });
  });

  it('finds a transfer in the invoices after a restart, and cancels it', async () => {
    const { authCode } = vendor.state.addDomainElsewhere('coming.com');
    await requestTransfer('coming.com', authCode);

    registry = await open();

    expect(await registry.transferStatus(named('coming.com'))).toMatchObject({ direction: 'in', status: 'pending' });
    expect(await registry.cancelTransfer(named('coming.com'), 'op-2')).toMatchObject({ status: 'cancelled' });
  });

  it('finds a renewal that DNSimple has not completed in the invoices after a restart, and does not pay twice', async () => {
    const { expiresAt } = await register('later.com');
    const renew = () => registry.renew(named('later.com'), expiresAt, years(1), 'op-2', usd(1_600));
    for (let other = 0; other < 4; other += 1) await renewOther(`other${other}.com`);
    lose('domainRenew');
    await expect(renew()).rejects.toMatchObject(UNKNOWN);

    registry = await open();

    await expect(renew()).rejects.toMatchObject(UNKNOWN);
    vendor.state.advance(1);
    expect(await registry.info(named('later.com'))).toMatchObject({ expiresAt: addYears(expiresAt, 1) });
    expect(vendor.state.ledger.filter(({ kind, name }) => kind === 'renewal' && name === 'later.com')).toHaveLength(1);
  });

  it('renews with a token that may not read invoices', async () => {
    registry = await open(DNSIMPLE_TOKEN_WITHOUT_INVOICES);
    const { expiresAt } = await register('plain.com');

    expect(await registry.renew(named('plain.com'), expiresAt, years(1), 'op-2', usd(1_600))).toMatchObject({
      expiresAt: addYears(expiresAt, 1),
    });
  });

  it.each([
    ['a wrong auth code', 'coming.com', 'auth_code'],
    ['a locked name', 'locked.com', 'status'],
    ['an unregistered name', 'free.com', 'not_held'],
    ['a name of ours', 'ours.com', 'policy'],
  ])('rejects a transfer of %s', async (_title, name, reason) => {
    vendor.state.addDomainElsewhere('coming.com');
    vendor.state.addDomainElsewhere('locked.com', { locked: true });
    await register('ours.com');

    await expect(requestTransfer(name, 'wrong')).rejects.toMatchObject({ reason });
  });

  it('lists the registered names of all pages', async () => {
    for (const name of ['a.com', 'b.com', 'c.com', 'd.com']) await register(name);

    const first = await registry.list();
    const second = await registry.list(first.next);

    expect([...first.names, ...second.names].map(({ name }) => name.value)).toEqual([
      'a.com',
      'b.com',
      'c.com',
      'd.com',
    ]);
    expect(second.next).toBeUndefined();
  });

  it('changes the registrant once, and reads it back', async () => {
    await register('owner.com');
    const next: Registrant = { ...REGISTRANT, firstName: 'Grace', organization: 'Navy' };

    await registry.setRegistrant(named('owner.com'), next, 'op-2');
    await registry.setRegistrant(named('owner.com'), next, 'op-3');

    expect(await registry.registrant(named('owner.com'))).toEqual(next);
    expect(served().filter((operation) => operation === 'createRegistrantChange')).toHaveLength(1);
  });

  it('switches the automatic renewal of DNSimple', async () => {
    await register('auto.com');

    await registry.setRegistrarRenewal(named('auto.com'), true, 'op-2');

    expect(await registry.info(named('auto.com'))).toMatchObject({ registrarRenews: true });
  });

  it('restores an expired name, and rejects it at another price', async () => {
    await register('late.com');
    vendor.state.advance(366 + 40);
    expect(await registry.info(named('late.com'))).toMatchObject({ phase: 'redemption' });

    await expect(registry.restore(named('late.com'), usd(1), 'op-2')).rejects.toMatchObject({
      reason: 'price_changed',
    });
    const restored = await registry.restore(named('late.com'), usd(9_600), 'op-3');

    expect(restored.phase).toBe('registered');
    await expect(registry.restore(named('late.com'), usd(9_600), 'op-4')).rejects.toMatchObject({ reason: 'status' });
  });

  it('shows a restore as pending until DNSimple has completed it, also after a restart', async () => {
    const [name, price] = [named('later-restored.com'), usd(9_600)];
    await register(name.value);
    vendor.state.advance(366 + 40);

    expect(await registry.restore(name, price, 'op-2')).toMatchObject({ phase: 'pending_restore' });
    expect(await registry.info(name)).toMatchObject({ phase: 'pending_restore' });
    registry = await open();
    expect(await registry.info(name)).toMatchObject({ phase: 'pending_restore' });
    vendor.state.advance(1);
    expect(await registry.info(name)).toMatchObject({ phase: 'registered' });
    expect(served().filter((operation) => operation === 'domainRestore')).toHaveLength(1);
  });

  it('sends each key once to registries that take keys, however many digests it has', async () => {
    await register('keys.nl');
    const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' };
    const key = { flags: 257, algorithm: 13, publicKey: Buffer.alloc(64, 7).toString('base64') };

    await expect(registry.setDsRecords(named('keys.nl'), [signer], 'op-2')).rejects.toMatchObject({
      reason: 'policy',
    });
    const digests = [2, 4].map((digestType) => ({ ...signer, digestType, key }));
    const set = await registry.setDsRecords(named('keys.nl'), digests, 'op-3');

    expect(set).toEqual([expect.objectContaining({ algorithm: 13, digestType: 2, key })]);
    expect(await registry.setDsRecords(named('keys.nl'), set, 'op-4')).toEqual(set);
    expect(served().filter((operation) => operation.startsWith('create') && operation.includes('Signer'))).toHaveLength(
      1,
    );
  });

  it('reads the zone that DNSimple hosts', async () => {
    await register('zone.com');

    expect(await registry.hostedZone(named('zone.com'))).toContain('$ORIGIN zone.com.');
    expect(await registry.hostedZone(named('none.com'))).toBeUndefined();
  });

  it('rejects nameservers with addresses, which DNSimple does not take', async () => {
    await register('glue.com');

    await expect(
      registry.setNameservers(
        named('glue.com'),
        Nameservers.of(['ns1.glue.com', 'ns2.glue.com']),
        [{ host: 'ns1.glue.com', addresses: ['192.0.2.1'] }],
        'op-2',
      ),
    ).rejects.toMatchObject({ reason: 'policy' });
  });

  it('reports the owner of the token to the doctor', async () => {
    const context = createRegistryContext({ settings: { ...settings, url } });

    const { diagnostics } = await startDnsimple(context);

    expect(diagnostics).toMatchObject({ address: url, isSandbox: false });
    expect(await diagnostics?.account()).toEqual({ user: 'example-user@example.com' });
  });

  it('treats wrong credentials as a command that was not sent', async () => {
    const other = await open('wrong');

    await expect(other.info(named('secret.com'))).rejects.toMatchObject({
      ...UNKNOWN,
      message: expect.not.stringContaining('wrong'),
    });
  });
});

interface Options {
  readonly price?: number;
  readonly registrant?: Registrant;
}

const issuesOf = (given: object, currency = 'USD') =>
  validateDnsimpleSettings({ ...createRegistryContext({ settings: { ...given } }), currency }).map(
    ({ path, message }) => `${path} ${message}`,
  );

describe('the settings of DNSimple', () => {
  it.each([
    [{}, ['account is missing', 'token is missing']],
    [{ account: 'mine', token: 't' }, ['account must match pattern "^[0-9]+$"']],
    [
      { ...settings, url: 'http://api.dnsimple.example' },
      ['url must be an https:// URL without credentials, query and fragment'],
    ],
    [{ ...settings, sandbox: true }, []],
  ])('%j have the issues %j', (given, expected) => {
    expect(issuesOf(given)).toEqual(expected);
  });

  it('need US dollars, the currency of DNSimple', () => {
    expect(issuesOf(settings, 'EUR')).toEqual(['account names an account that is charged in USD: set CURRENCY']);
  });
});
