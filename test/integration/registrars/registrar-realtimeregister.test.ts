import { DomainName, type RegistryAdapter, type Registrant } from '../../../src/adapter';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import {
  startRealtimeRegister,
  validateRealtimeRegisterSettings,
} from '../../../src/infrastructure/registry/realtimeregister/start-realtimeregister';
import { createRegistryContext, type RecordedVendor } from '../../../src/testing';
import { HOSTS, REGISTRANT } from '../../../src/testing/registry-fixtures';
import { REALTIMEREGISTER_CREDENTIALS, realtimeRegisterServer } from '../../support/registrars/realtimeregister-server';

const settings = REALTIMEREGISTER_CREDENTIALS;
const usd = (minor: number) => ({ minor, currency: 'USD' });
const named = (name: string) => DomainName.fromState(name);
const years = (count: number) => RegistrationTerm.ofYears(count);
const UNKNOWN = { code: 'REGISTRY_UNAVAILABLE' };

const glue = (address: string) => [{ host: 'ns1.glue.com', addresses: [address, '2001:db8::1'] }];

async function start(vendor: RecordedVendor, url: string): Promise<RegistryAdapter> {
  const context = createRegistryContext({ settings: { ...settings, url }, tlds: ['com', 'nl'] });
  return (await startRealtimeRegister({ ...context, clock: { now: () => vendor.state.now() } })).port;
}

describe('the Realtime Register adapter', () => {
  let vendor: RecordedVendor;
  let url: string;
  let registry: RegistryAdapter;

  beforeEach(async () => {
    vendor = realtimeRegisterServer();
    url = await vendor.start();
    registry = await start(vendor, url);
  });
  afterEach(async () => {
    await vendor.stop();
    vendor.assertNoViolations();
  });

  const register = (name: string, price = 1_000, registrant: Registrant = REGISTRANT) =>
    registry.register({
      name: named(name),
      term: years(1),
      registrant,
      nameservers: HOSTS,
      price: usd(price),
      transactionId: 'op-1',
    });
  const served = () => vendor.served.map(({ operation }) => operation);

  it('registers a name after a quote, without automatic renewal, and locks it', async () => {
    const registered = await register('first.com');

    expect(served()).toEqual([
      'checkDomain',
      'createContact',
      'createDomain',
      'listProcesses',
      'createDomain',
      'getDomain',
      'getDomain',
      'updateDomain',
      'getDomain',
    ]);
    expect(registered).toMatchObject({ transferLocked: true, registrarRenews: false, charged: usd(1_000) });
  });

  it('creates a contact once for the same registrant', async () => {
    await register('one.com');
    await register('two.com');

    expect(vendor.served.filter(({ operation }) => operation === 'createContact').map(({ status }) => status)).toEqual([
      201, 400,
    ]);
  });

  it('checks and registers premium names at their own price', async () => {
    const [offer] = await registry.check([named('premium-name.com')]);

    await expect(register('premium-name.com')).rejects.toMatchObject({ reason: 'price_changed' });
    await register('premium-name.com', offer?.price?.registration.minor);

    expect(offer?.price).toMatchObject({ registration: usd(10_000), renewal: usd(12_000) });
    expect(await registry.price(named('premium-name.com'), years(2))).toMatchObject({ renewal: usd(24_000) });
    expect(vendor.state.ledger.map(({ amount }) => amount)).toEqual([10_000]);
  });

  it('returns the list price of renewing a name whose registration is still queued here', async () => {
    const { renewal } = await registry.price(named('not-yet-registered.com'));

    expect(renewal.minor).toBeGreaterThan(0);
  });

  it('reads the price list once for many checks', async () => {
    await registry.check(['a.com', 'b.com', 'c.nl'].map(named));

    expect(served().filter((operation) => operation === 'getPricelist')).toHaveLength(1);
  });

  it('shows a registration that is running as pending, and never repeats it', async () => {
    expect(await register('slow.com')).toMatchObject({ phase: 'pending_create', sponsoredByUs: true });
    expect(await registry.info(named('slow.com'))).toMatchObject({ phase: 'pending_create' });
    await expect(register('slow.com')).rejects.toMatchObject({ reason: 'unavailable' });

    vendor.state.advance(1);

    expect(await registry.info(named('slow.com'))).toMatchObject({ phase: 'registered', createdByUs: true });
    expect(vendor.state.ledger).toHaveLength(1);
  });

  it.each(['lost_response', 'truncated', 'bad_gateway'] as const)(
    'renews once after the fault %s, even after a restart',
    async (kind) => {
      const { expiresAt } = await register('once.com');
      vendor.injectFault({ kind, operations: ['renewDomain'], name: 'once.com/renew ', takesEffect: true });

      await expect(registry.renew(named('once.com'), expiresAt, years(1), 'op-2')).rejects.toMatchObject(UNKNOWN);
      registry = await start(vendor, url);
      await expect(registry.renew(named('once.com'), expiresAt, years(1), 'op-2')).rejects.toMatchObject({
        reason: 'expiry_differs',
      });

      expect(vendor.state.ledger.map((entry) => entry.kind)).toEqual(['registration', 'renewal']);
    },
  );

  it('creates hosts with their addresses, and replaces them', async () => {
    await register('glue.com');
    const hosts = Nameservers.of(['ns1.glue.com', 'ns2.glue.com']);

    await registry.setNameservers(named('glue.com'), hosts, glue('192.0.2.1'), 'op-2');
    const set = await registry.setNameservers(named('glue.com'), hosts, glue('192.0.2.2'), 'op-3');

    expect(set.nameservers).toEqual(hosts.hosts);
    expect(vendor.state.held('glue.com')?.glue.get('ns1.glue.com')).toEqual(['192.0.2.2', '2001:db8::1']);
  });

  it('sends keys if all are known, and DS records otherwise', async () => {
    await register('signed.com');
    const key = { flags: 257, algorithm: 13, publicKey: Buffer.alloc(64, 7).toString('base64') };
    const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };

    const [computed] = await registry.setDsRecords(named('signed.com'), [{ ...signer, key }], 'op-2');
    const without = await registry.setDsRecords(named('signed.com'), [signer], 'op-3');

    expect(computed).toMatchObject({ algorithm: 13, digestType: 2, key });
    expect(without).toEqual([signer]);
  });

  it('switches the automatic renewal of the registrar', async () => {
    await register('auto.com');

    await registry.setRegistrarRenewal(named('auto.com'), true, 'op-2');

    expect(await registry.info(named('auto.com'))).toMatchObject({ registrarRenews: true });
  });

  it('lists the names of all pages', async () => {
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

  it('reports the customer and the credit to the doctor', async () => {
    const context = createRegistryContext({ settings: { ...settings, url } });

    const { diagnostics } = await startRealtimeRegister(context);

    expect(diagnostics).toMatchObject({ address: url, isSandbox: false });
    expect(await diagnostics?.account()).toEqual({ user: settings.customer, balance: usd(100_000_000) });
  });

  it('treats wrong credentials and a 429 as requests that were not accepted', async () => {
    vendor.injectFault({ kind: 'rate_limited', retryAfterSeconds: 30 });

    await expect(registry.info(named('limited.com'))).rejects.toMatchObject({ ...UNKNOWN, retryAfterSeconds: 30 });
    await expect(registry.info(named('limited.com'))).rejects.toMatchObject({ name: 'RegistryNotContacted' });

    expect(vendor.served).toEqual([]);
  });
});

const issuesOf = (given: object, currency = 'USD') =>
  validateRealtimeRegisterSettings({ ...createRegistryContext({ settings: { ...given } }), currency }).map(
    ({ path, message }) => `${path} ${message}`,
  );

describe('the settings of Realtime Register', () => {
  it.each([
    [{}, ['customer is missing', 'api_key is missing']],
    [
      { ...settings, url: 'http://api.example' },
      ['url must be an https:// URL without credentials, query and fragment'],
    ],
    [{ ...settings, sandbox: true }, []],
  ])('%j have the issues %j', (given, expected) => {
    expect(issuesOf(given)).toEqual(expected);
  });

  it('need euros or US dollars', () => {
    expect(issuesOf(settings, 'EUR')).toEqual([]);
    expect(issuesOf(settings, 'CHF')).toEqual([
      'customer names an account that is charged in EUR or USD: set CURRENCY',
    ]);
  });
});
