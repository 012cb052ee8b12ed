import {
  toAcmeHolder,
  toRegistryDomain,
  toRenewalPrices,
  type AcmeDomain,
} from '../../../../../examples/registrar/src/acme-mapping';

/** The package's entry point is compiled code; the test runs on the source. */
jest.mock('namewright-adapter', () => require('../../../../../src/adapter'), { virtual: true });

const LIVE: AcmeDomain = {
  name: 'example.com',
  state: 'LIVE',
  mine: true,
  created: '2026-01-15T09:30:00Z',
  expires: '2027-01-15T09:30:00Z',
  hosts: [],
  locked: true,
};
const UNAVAILABLE = { name: 'RegistryUnavailable' };

describe("the example's types", () => {
  it('become ours: names in lower-case A-labels, dates in UTC', () => {
    const domain = toRegistryDomain({ ...LIVE, name: 'Bücher.com', expires: '2027-01-15T10:30:00+01:00' });

    expect(domain.name.value).toBe('xn--bcher-kva.com');
    expect(domain.expiresAt).toEqual(new Date('2027-01-15T09:30:00Z'));
  });

  it.each([
    ['a date without a time zone', { expires: '2027-01-15 09:30:00' }],
    ['an invalid date', { created: 'never' }],
    ['an invalid name', { name: 'not a name' }],
  ])('prove nothing with %s, so the outcome is unknown', (_what, part) => {
    expect(() => toRegistryDomain({ ...LIVE, ...part })).toThrow(expect.objectContaining(UNAVAILABLE));
  });

  it('have amounts in minor units of their currency, and none that is no amount', () => {
    const fees = { registration: 9.5, renewal: 11, restore: 60 };

    expect(toRenewalPrices({ ...fees, currency: 'USD' }).renewal).toEqual({ minor: 1100, currency: 'USD' });
    expect(toRenewalPrices({ ...fees, currency: 'JPY' }).renewal).toEqual({ minor: 11, currency: 'JPY' });
    expect(() => toRenewalPrices({ ...fees, renewal: Number.NaN, currency: 'USD' })).toThrow(
      expect.objectContaining(UNAVAILABLE),
    );
  });

  it('hold a person with one name, an organization and all lines of a street', () => {
    const registrant = {
      firstName: '',
      lastName: 'Suharto',
      organization: 'Acme Customers',
      email: 'suharto@example.com',
      phone: '+62.215551234',
      address: { street: 'Jalan 1', street2: 'Floor 2', city: 'Jakarta', country: 'ID' },
    };

    expect(toAcmeHolder(registrant)).toMatchObject({
      person: 'Suharto',
      organization: 'Acme Customers',
      street: ['Jalan 1', 'Floor 2'],
    });
  });
});
