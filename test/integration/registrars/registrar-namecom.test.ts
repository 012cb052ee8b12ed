import {
  DomainName,
  RegistryNotContacted,
  RegistryUnavailable,
  type RegistryAdapter,
  type RegistrationRequest,
} from '../../../src/adapter';
import { Nameservers } from '../../../src/domain/registration/nameservers';
import { RegistrationTerm } from '../../../src/domain/registration/registration-term';
import { startNamecom, validateNamecomSettings } from '../../../src/infrastructure/registry/namecom/start-namecom';
import { createRegistryContext, type RecordedVendor, type VendorFault } from '../../../src/testing';
import { NAMECOM_CREDENTIALS, namecomServer } from '../../support/registrars/namecom-server';

const REGISTRANT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
};
const ONE_YEAR = RegistrationTerm.ofYears(1);
let serial = 0;
const aName = (label = 'name') => DomainName.parse(`${label}-${(serial += 1)}.com`);
const anId = () => `transaction-${(serial += 1)}`;
const usd = (minor: number) => ({ minor, currency: 'USD' });

let vendor: RecordedVendor;
let registry: RegistryAdapter;
let url: string;
/** By which the adapter's clock is ahead. */
let waitedMs = 0;

beforeAll(async () => {
  vendor = namecomServer();
  url = await vendor.start();
  const settings = { ...NAMECOM_CREDENTIALS, url };
  const context = createRegistryContext({ settings, tlds: ['com', 'net'] });
  registry = (await startNamecom({ ...context, clock: { now: () => new Date(Date.now() + waitedMs) } })).port;
});
afterAll(async () => {
  await vendor.stop();
  vendor.assertNoViolations();
});
beforeEach(() => {
  vendor.served.length = 0;
});

const requestFor = (name: DomainName, parts: Partial<RegistrationRequest> = {}): RegistrationRequest => ({
  name,
  term: ONE_YEAR,
  registrant: REGISTRANT,
  nameservers: Nameservers.of(['ns1.example.net', 'ns2.example.net']),
  price: usd(999),
  transactionId: anId(),
  ...parts,
});

async function aRegisteredName(): Promise<DomainName> {
  const name = aName();
  await registry.register(requestFor(name));
  vendor.served.length = 0;
  return name;
}

const operations = () => vendor.served.map(({ operation }) => operation);
const charges = (name: DomainName, kind: string) =>
  vendor.state.ledger.filter((entry) => entry.name === name.value && entry.kind === kind).length;

describe('name.com adapter', () => {
  it('registers with three requests, with the transfer lock on and automatic renewal off', async () => {
    const name = aName();

    const registered = await registry.register(requestFor(name));

    expect(operations()).toEqual(['GetPricingForDomain', 'ListOrders', 'CreateDomain']);
    expect(registered).toMatchObject({ transferLocked: true, registrarRenews: false, charged: usd(999) });
    expect(registered.contactVerification).toBe('pending');
  });

  it('checks 50 names with each request', async () => {
    const names = Array.from({ length: 120 }, () => aName('checked'));

    const results = await registry.check(names);

    expect(results.every(({ available }) => available)).toBe(true);
    expect(operations().filter((operation) => operation === 'CheckAvailability')).toHaveLength(3);
  });

  it('registers and renews a premium name at its own price', async () => {
    const name = aName('premium');
    const [offer] = await registry.check([name]);
    const price = offer?.price?.registration ?? usd(0);

    const registered = await registry.register(requestFor(name, { price }));
    await registry.renew(name, registered.expiresAt, ONE_YEAR, anId());

    expect(price).toEqual(usd(25_000));
    expect(vendor.served.find(({ operation }) => operation === 'CreateDomain')?.text).toContain('"purchasePrice":250');
    expect(vendor.served.find(({ operation }) => operation === 'RenewDomain')?.text).toContain('"purchasePrice":13.99');
  });

  it('omits the price of a standard name, which name.com does not accept', async () => {
    const name = await aRegisteredName();
    const { expiresAt } = vendor.state.held(name.value) ?? { expiresAt: new Date() };

    await registry.renew(name, expiresAt, ONE_YEAR, anId(), usd(1_399));

    expect(vendor.served.find(({ operation }) => operation === 'RenewDomain')?.text).not.toContain('purchasePrice');
  });

  it('creates and changes glue before it sets the nameservers', async () => {
    const name = await aRegisteredName();
    const host = `ns1.${name.value}`;
    const nameservers = Nameservers.of([host, 'ns2.example.net']);

    await registry.setNameservers(name, nameservers, [{ host, addresses: ['192.0.2.1', '2001:db8::1'] }], anId());
    const changed = await registry.setNameservers(name, nameservers, [{ host, addresses: ['192.0.2.2'] }], anId());

    expect(changed.nameservers).toEqual([host, 'ns2.example.net']);
    expect(vendor.state.held(name.value)?.glue.get(host)).toEqual(['192.0.2.2']);
    expect(operations().filter((operation) => operation.endsWith('VanityNameserver'))).toEqual([
      'CreateVanityNameserver',
      'UpdateVanityNameserver',
    ]);
  });

  it('switches automatic renewal by name.com', async () => {
    const name = await aRegisteredName();

    await registry.setRegistrarRenewal(name, true, anId());

    expect((await registry.info(name))?.registrarRenews).toBe(true);
  });

  it('keeps the other contacts when it replaces the registrant', async () => {
    const name = await aRegisteredName();

    await registry.setRegistrant(name, { ...REGISTRANT, firstName: 'Grace' }, anId());

    const contacts = vendor.state.held(name.value)?.contacts as Record<string, { firstName: string }>;
    expect([contacts['registrant']?.firstName, contacts['admin']?.firstName]).toEqual(['Grace', 'Ada']);
  });

  it("returns the records of name.com's DNS service as a zone file", async () => {
    const name = await aRegisteredName();
    const domain = vendor.state.held(name.value);
    if (!domain) throw new TypeError('not registered');
    domain.records = [
      { id: 1, type: 'A', ttl: 300, fqdn: `${name.value}.`, host: '', answer: '192.0.2.1' },
      { id: 2, type: 'MX', ttl: 300, fqdn: `${name.value}.`, host: '', answer: 'mail.example.net', priority: 10 },
      { id: 3, type: 'TXT', ttl: 300, fqdn: `t.${name.value}.`, host: 't', answer: 'say "hi"; ü' },
      { id: 4, type: 'SRV', ttl: 300, fqdn: `_sip._tcp.${name.value}.`, answer: '1 5061 sip.example.org', priority: 5 },
      { id: 5, type: 'ANAME', ttl: 300, fqdn: `a.${name.value}.`, host: 'a', answer: 'example.net' },
    ];

    expect((await registry.hostedZone(name))?.split('\n')).toEqual([
      `$ORIGIN ${name.value}.`,
      `${name.value}. 300 IN A 192.0.2.1`,
      `${name.value}. 300 IN MX 10 mail.example.net.`,
      `t.${name.value}. 300 IN TXT "say \\"hi\\"; \\195\\188"`,
      `_sip._tcp.${name.value}. 300 IN SRV 5 1 5061 sip.example.org.`,
      `; not a DNS record type, of ${name.value}: a.${name.value}. 300 IN ANAME example.net`,
      '',
    ]);
    expect(await registry.hostedZone(await aRegisteredName())).toBeUndefined();
  });

  it('reports a low balance as credit', async () => {
    const { balance } = vendor.state;
    vendor.state.balance = 100;

    const attempt = registry.register(requestFor(aName()));

    await expect(attempt).rejects.toMatchObject({ reason: 'credit' });
    vendor.state.balance = balance;
  });

  const FAULTS: readonly VendorFault[] = [
    { kind: 'lost_response' },
    { kind: 'refused' },
    { kind: 'rate_limited' },
    { kind: 'bad_gateway' },
    { kind: 'bad_gateway', takesEffect: true },
    { kind: 'truncated' },
    { kind: 'duplicate' },
  ];

  it.each(FAULTS)('registers once if the request has the fault %j and the command is repeated', async (fault) => {
    const name = aName();
    vendor.injectFault({ ...fault, operations: ['CreateDomain'] });

    await untilDecided(() => registry.register(requestFor(name)));

    expect(charges(name, 'registration')).toBe(1);
    expect(await registry.info(name)).toMatchObject({ sponsoredByUs: true });
  });

  it.each(FAULTS.filter(({ kind }) => kind !== 'duplicate'))(
    'renews once if the request has the fault %j and the command is repeated',
    async (fault) => {
      const name = await aRegisteredName();
      const { expiresAt } = vendor.state.held(name.value) ?? { expiresAt: new Date() };
      vendor.injectFault({ ...fault, operations: ['RenewDomain'] });

      await untilDecided(() => registry.renew(name, expiresAt, ONE_YEAR, anId()));

      expect(charges(name, 'renewal')).toBe(1);
    },
  );

  it('renews once if name.com shows the new expiry late and the command is repeated', async () => {
    const name = await aRegisteredName();
    const domain = vendor.state.held(name.value);
    if (!domain) throw new TypeError('the name is not registered');
    const former = domain.expiresAt;
    let [isLate, latest] = [true, former];
    Object.defineProperty(domain, 'expiresAt', {
      get: () => (isLate ? former : latest),
      set: (expiresAt: Date) => {
        latest = expiresAt;
      },
    });
    const renew = async () => registry.renew(name, former, ONE_YEAR, anId());

    expect(await renew()).toMatchObject({ charged: usd(1_399) });
    await expect(renew()).rejects.toBeInstanceOf(RegistryUnavailable);
    isLate = false;
    await expect(renew()).rejects.toMatchObject({ reason: 'expiry_differs' });

    expect(charges(name, 'renewal')).toBe(1);
  });

  it('sends nothing while name.com has an open renewal of the name', async () => {
    const name = await aRegisteredName();
    const { expiresAt } = vendor.state.held(name.value) ?? { expiresAt: new Date() };
    vendor.state.charge({ kind: 'renewal', name: name.value, years: 1, amount: 1_399, status: 'open' });

    await expect(registry.renew(name, expiresAt, ONE_YEAR, anId())).rejects.toBeInstanceOf(RegistryUnavailable);

    expect(operations()).not.toContain('RenewDomain');
  });

  it('waits with all requests until the time in Retry-After', async () => {
    const settings = { ...NAMECOM_CREDENTIALS, url };
    const { port } = await startNamecom(createRegistryContext({ settings }));
    vendor.injectFault({ kind: 'rate_limited', retryAfterSeconds: 600 });

    await expect(port.info(aName())).rejects.toMatchObject({ retryAfterSeconds: 600 });
    await expect(port.info(aName())).rejects.toBeInstanceOf(RegistryNotContacted);

    expect(vendor.served).toEqual([]);
  });

  it('does not contact name.com with wrong credentials twice, and shows no secret', async () => {
    const token = 'a-secret-of-the-operator';
    const settings = { username: 'acme-test', token, url: url };
    const { port } = await startNamecom(createRegistryContext({ settings }));

    const error: unknown = await port.info(aName()).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(RegistryNotContacted);
    expect(JSON.stringify([error, String((error as Error).cause), (error as Error).stack])).not.toContain(token);
  });
});

const issuesOf = (settings: Record<string, unknown>, currency = 'USD') =>
  validateNamecomSettings({ ...createRegistryContext({ settings }), currency }).map(({ path }) => path);

describe('settings of the name.com adapter', () => {
  it('need a user name and a token, and US dollars', () => {
    expect(issuesOf({ username: 'acme', token: 't' })).toEqual([]);
    expect(issuesOf({ username: 'acme', token: 't', sandbox: true })).toEqual([]);
    expect(issuesOf({})).toEqual(['username', 'token']);
    expect(issuesOf({ username: 'acme', token: 't' }, 'EUR')).toEqual(['username']);
    expect(issuesOf({ username: 'a:b', token: 't', url: 'http://api.name.com', other: 1 })).toEqual([
      'other',
      'username',
    ]);
    expect(issuesOf({ username: 'acme', token: 't', url: 'http://api.name.com' })).toEqual(['url']);
  });
});

/** Repeats a command as the service does, five minutes later, until it succeeds or is rejected. */
async function untilDecided(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) return;
      if (error instanceof RegistryNotContacted) await new Promise((resolve) => setTimeout(resolve, 1_050));
      else waitedMs += 300_000;
    }
  }
  throw new Error('the outcome stays unknown');
}
