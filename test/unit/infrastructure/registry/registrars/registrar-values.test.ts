import {
  addressIssues,
  amountOf,
  contactIssues,
  fromE164,
  instantOf,
  listNames,
  majorUnits,
  nameOf,
  phoneOf,
  readVendorSettings,
  RegistryUnavailable,
  responseReader,
  toE164,
  type Registrant,
} from '../../../../../src/adapter';
import * as dnsimple from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-mapping';
import * as namecom from '../../../../../src/infrastructure/registry/namecom/namecom-mapping';
import * as realtimeRegister from '../../../../../src/infrastructure/registry/realtimeregister/realtimeregister-mapping';
import { REGISTRANT } from '../../../../../src/testing/registry-fixtures';

const vendorSettings = (urls: { readonly production: string; readonly sandbox?: string }, settings: object) =>
  readVendorSettings(
    { urls, currencies: ['USD'], credentials: { token: { type: 'string' } } },
    { currency: 'USD', settings: { token: 'secret', ...settings } },
  );

describe('the settings of a vendor', () => {
  const production = 'https://api.example.com';

  it.each([
    [
      'of its sandbox, if there is one',
      { production, sandbox: 'https://sandbox.example.com' },
      {},
      'https://sandbox.example.com',
    ],
    ['of production, if only the keys are for the sandbox', { production }, {}, production],
    ['that the settings name', { production }, { url: 'http://127.0.0.1:8080' }, 'http://127.0.0.1:8080'],
  ])('have for tests the address %s', (_which, urls, settings, address) => {
    expect(vendorSettings(urls, { sandbox: true, ...settings })).toMatchObject({ address, isSandbox: true });
    expect(vendorSettings(urls, settings)).toMatchObject({ isSandbox: false });
  });
});

describe('values in registrar responses', () => {
  it.each([
    [10.99, 'USD', 1099],
    ['10.99', 'USD', 1099],
    [0.1 + 0.2, 'USD', 30],
    [17.98, 'EUR', 1798],
    [1500, 'JPY', 1500],
  ])('reads %s %s as %s minor units', (value, currency, minor) => {
    expect(amountOf(value, currency)).toEqual({ minor, currency });
  });

  it.each([[null], [undefined], [Number.NaN], [Infinity], ['free'], ['']])('reads %s as no amount', (value) => {
    expect(amountOf(value, 'USD')).toBeUndefined();
  });

  it('writes an amount in major units', () => {
    expect([majorUnits({ minor: 1099, currency: 'USD' }), majorUnits({ minor: 1500, currency: 'JPY' })]).toEqual([
      10.99, 1500,
    ]);
  });

  it.each([
    ['+44.2079460000', '+442079460000'],
    ['+1.5555551234', '+15555551234'],
    ['+358.91234567', '+35891234567'],
    ['+7.4951234567', '+74951234567'],
  ])('writes %s as E.164 and reads it back', (epp, e164) => {
    expect(toE164(epp)).toBe(e164);
    expect(fromE164(e164)).toBe(epp);
  });

  it('reads a telephone number with separators, and no other text', () => {
    expect(fromE164('+1 (555) 555-1234')).toBe('+1.5555551234');
    expect(fromE164('555 1234')).toBeUndefined();
  });

  it('accepts HTTPS addresses, and HTTP on this machine only', () => {
    const accepted = ['https://api.example.com', 'http://127.0.0.1:8080', 'http://localhost/'];
    const rejected = ['http://api.example.com', 'https://user:pw@api.example.com', 'ftp://example.com', 'example', ''];

    expect(accepted.filter((url) => addressIssues('url', url).length > 0)).toEqual([]);
    expect(rejected.filter((url) => addressIssues('url', url).length === 0)).toEqual([]);
  });

  it.each([
    ['EXAMPLE.com', 'example.com'],
    ['Bücher.example.', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['xn--a.com', 'xn--a.com'],
  ])('reads the name %s in lower-case A-labels', (written, name) => {
    expect(nameOf(written).value).toBe(name);
  });

  it.each(['', 'com', 'a b.com', '192.0.2.1', `${'a'.repeat(64)}.com`, 'a.'.repeat(1_000)])(
    'reads no name from %j, and no page of a list fails because of it',
    (written) => {
      expect(() => nameOf(written)).toThrow(RegistryUnavailable);
      const [first, last] = ['one.com', 'Zwölf.com'].map((name) => ({ name, expiry: '2027-01-01T00:00:00Z' }));

      const { names, skipped } = listNames([first!, { name: written, expiry: '2027-01-01T00:00:00Z' }, last!]);

      expect(names.map(({ name }) => name.value)).toEqual(['one.com', 'xn--zwlf-6qa.com']);
      expect(skipped).toEqual([{ name: written, reason: 'the registrar sent an invalid domain name' }]);
    },
  );

  it('reads responses leniently: integers as strings, and unknown properties', () => {
    const read = responseReader<{ id: number }>('Acme', {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' } },
    });

    expect(read({ id: '7', other: true })).toEqual({ id: 7, other: true });
    expect(() => read({ other: true })).toThrow(RegistryUnavailable);
    expect(() => read(undefined)).toThrow(RegistryUnavailable);
  });
});

const issuesAt = (streetLines: 1 | 2 | 3, needsFirstName = true) =>
  contactIssues({ vendor: 'Acme', needsFirstName, streetLines });
const pathsOf = (issues: readonly { readonly path: string }[]) => issues.map(({ path }) => path);

describe('contacts at registrars', () => {
  const { address } = REGISTRANT;
  it.each([
    ['+1 212-555-0100 x12', { phone: '+1.2125550100', phoneExtension: '12' }],
    ['+44.2079460000 ext. 7', { phone: '+44.2079460000', phoneExtension: '7' }],
    ['+442079460000', { phone: '+44.2079460000' }],
    ['+1 212 555 0100 desk', undefined],
  ])('have the phone number %s read with its extension, never with digits of it', (text, phone) => {
    expect(phoneOf(text)).toEqual(phone);
  });

  it('refuse what the vendor would lose', () => {
    const full = {
      ...REGISTRANT,
      firstName: '',
      phoneExtension: '12',
      address: { ...address, street2: 'Floor 2', street3: 'Room 3' },
    };

    expect(pathsOf(issuesAt(1)(full))).toEqual(['first_name', 'phone_extension', 'address.street2', 'address.street3']);
    expect(pathsOf(issuesAt(2)(full))).toEqual(['first_name', 'phone_extension', 'address.street3']);
    expect(pathsOf(issuesAt(3, false)(full))).toEqual(['phone_extension']);
    expect(issuesAt(1)(REGISTRANT)).toEqual([]);
  });

  it.each<[string, (registrant: Registrant) => Registrant | undefined]>([
    ['name.com', (registrant) => namecom.toRegistrant(namecom.toContact(registrant))],
    ['DNSimple', (registrant) => dnsimple.toRegistrant({ id: 1, ...dnsimple.toContact(registrant) })],
    ['Realtime Register', (registrant) => realtimeRegister.toRegistrant(realtimeRegister.toContact(registrant))],
  ])('keep the lines of the street at %s', (_vendor, roundTrip) => {
    expect(roundTrip({ ...REGISTRANT, address: { ...address, street2: 'Floor 2' } })?.address).toMatchObject({
      street: address.street,
      street2: 'Floor 2',
    });
  });

  it('differ at DNSimple if only one has a second line of the street', () => {
    const contact = dnsimple.toContact(REGISTRANT);

    expect(dnsimple.isSameContact({ id: 1, ...contact, address2: 'Floor 2' }, contact)).toBe(false);
    expect(dnsimple.isSameContact({ id: 1, ...contact, address2: '' }, contact)).toBe(true);
  });

  it('keep the only name of a person at Realtime Register', () => {
    const read = realtimeRegister.toRegistrant(
      realtimeRegister.toContact({ ...REGISTRANT, firstName: '', lastName: 'Ratna' }),
    );

    expect(read).toMatchObject({ firstName: '', lastName: 'Ratna' });
  });
});

describe('dates of registrars', () => {
  it.each([
    ['2027-05-01T00:00:00Z', undefined, '2027-05-01T00:00:00.000Z'],
    ['2027-05-01T00:00:00.123+02:00', undefined, '2027-04-30T22:00:00.123Z'],
    ['2027-05-01T00:00:00+0200', undefined, '2027-04-30T22:00:00.000Z'],
    ['2027-05-01 00:00:00', 'Europe/Amsterdam', '2027-04-30T22:00:00.000Z'],
    ['2027-05-01', 'Europe/Amsterdam', '2027-04-30T22:00:00.000Z'],
    ['2027-05-01', 'UTC', '2027-05-01T00:00:00.000Z'],
    ['2027-05-01T00:00:00Z', 'Europe/Amsterdam', '2027-05-01T00:00:00.000Z'],
  ])('read %s in the time zone %s as %s, on every machine', (text, timeZone, instant) => {
    expect(instantOf(text, timeZone)).toEqual(new Date(instant));
  });

  it.each([
    ['2027-05-01T00:00:00', undefined],
    ['2027-05-01', undefined],
    ['May 1, 2027 10:00', undefined],
    ['soon', 'UTC'],
    ['2027-13-01T00:00:00Z', undefined],
    ['2027-05-01T00:00:00', 'Nowhere/Town'],
  ])('refuse %s in the time zone %s, because its instant would be a guess', (text, timeZone) => {
    expect(() => instantOf(text, timeZone)).toThrow(RegistryUnavailable);
  });
});
