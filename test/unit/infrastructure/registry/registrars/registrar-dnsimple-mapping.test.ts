import { DomainName, RegistryRejected, type Registrant } from '../../../../../src/adapter';
import { DnsimpleError } from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-client';
import type {
  DnsimpleDomain,
  DnsimpleContact,
} from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-responses';
import {
  isSameContact,
  wouldCreate,
  premiumPrice,
  stateOf,
  toContact,
  toDsRecord,
  toDnsimpleDsRecord,
  toListedNames,
  toQuote,
  toRegistrant,
  toRegistryDomain,
  toRejection,
  toTransfer,
  toTransferPrice,
} from '../../../../../src/infrastructure/registry/dnsimple/dnsimple-mapping';
import { policyOf } from '../../../../../src/infrastructure/registry/tld-rules';
import { publicCase } from '../../../../support/data/public-cases';

const NAME = DomainName.fromState('example-alpha.com');
const { periods } = policyOf({ suffix: 'com' });
const domain: DnsimpleDomain = {
  id: 181984,
  name: 'example-alpha.com',
  state: 'registered',
  registrant_id: 2715,
  auto_renew: false,
  expires_at: '2021-06-05T02:15:00Z',
  created_at: '2020-06-04T19:15:14Z',
};
const prices = { premium: false, registration_price: 20, renewal_price: 20.1, restore_price: 80, transfer_price: null };
const usd = (minor: number) => ({ minor, currency: 'USD' });
const contact: DnsimpleContact = {
  id: 1,
  first_name: 'First',
  last_name: 'User',
  email: 'first@example.com',
  phone: '+18001234567',
  address1: 'Italian Street, 10',
  address2: '',
  city: 'Roma',
  state_province: 'RM',
  postal_code: '00100',
  country: 'IT',
  organization_name: 'Awesome Company',
  job_title: 'CEO',
};
const registrant: Registrant = {
  firstName: 'First',
  lastName: 'User',
  email: 'first@example.com',
  phone: '+1.8001234567',
  organization: 'Awesome Company',
  address: { street: 'Italian Street, 10', city: 'Roma', state: 'RM', postalCode: '00100', country: 'IT' },
};
const at = (date: string) => ({ periods, now: new Date(date) });

describe('a domain of DNSimple', () => {
  it('is registered with its dates, nameservers in lower case, and lock', () => {
    expect(toRegistryDomain(domain, ['NS1.dnsimple.com', 'ns2.dnsimple.com.'], true, at('2020-07-01'))).toEqual({
      name: NAME,
      phase: 'registered',
      sponsoredByUs: true,
      createdByUs: true,
      createdAt: new Date('2020-06-04T19:15:14Z'),
      expiresAt: new Date('2021-06-05T02:15:00Z'),
      nameservers: ['ns1.dnsimple.com', 'ns2.dnsimple.com'],
      transferLocked: true,
      transferPending: false,
      registrarRenews: false,
    });
  });

  it('is in redemption, with an estimated end, when it expired longer ago than the renewal grace period', () => {
    const expired: DnsimpleDomain = { ...domain, state: 'expired' };

    expect(toRegistryDomain(expired, [], true, at('2021-06-20')).phase).toBe('registered');
    expect(toRegistryDomain(expired, [], true, at('2021-07-06'))).toMatchObject({
      phase: 'redemption',
      phaseEndsAt: new Date('2021-08-04T02:15:00Z'),
      phaseEndIsEstimate: true,
    });
  });

  it('has an unknown outcome instead of a made-up date if DNSimple sends none', () => {
    expect(() => toRegistryDomain({ ...domain, expires_at: null }, [], true, at('2021-01-01'))).toThrow(
      expect.objectContaining({ code: 'REGISTRY_UNAVAILABLE' }),
    );
  });

  it('is reported by name if DNSimple tells no expiry, and the others are listed', () => {
    const { data } = JSON.parse(publicCase('47-dnsimple-domains.json')) as { readonly data: readonly DnsimpleDomain[] };

    const { names, skipped } = toListedNames(data);

    expect(names.map(({ name }) => name.value)).toEqual(['fine-one.com', 'long-gone.com', 'fine-two.com']);
    expect(skipped).toEqual([{ name: 'no-expiry.com', reason: expect.stringContaining('expiry') }]);
  });

  it('is not listed while DNSimple only serves its zone', () => {
    const hosted: DnsimpleDomain = { ...domain, name: 'example-beta.com', state: 'hosted', expires_at: null };

    expect(toListedNames([domain, hosted])).toEqual({
      names: [{ name: NAME, expiresAt: new Date('2021-06-05T02:15:00Z') }],
    });
  });
});

describe('prices of DNSimple', () => {
  it('are dollars of one year, which a renewal of several years multiplies', () => {
    expect(toQuote(prices, 3)).toEqual({ registration: usd(2_000), renewal: usd(6_030), restore: usd(8_000) });
  });

  it('make a transfer cost a renewal if DNSimple tells no price of a transfer', () => {
    expect(toTransferPrice(prices)).toEqual(usd(2_010));
    expect(toTransferPrice({ ...prices, transfer_price: 15 })).toEqual(usd(1_500));
  });

  it('are confirmed for premium names only', () => {
    expect(premiumPrice(prices, usd(10_900))).toEqual({});
    expect(premiumPrice({ ...prices, premium: true }, usd(10_900))).toEqual({ premium_price: '109.00' });
  });
});

describe('contacts of DNSimple', () => {
  it('are registrants, and registrants are contacts', () => {
    expect(toRegistrant(contact)).toEqual(registrant);
    expect(isSameContact(contact, toContact(registrant))).toBe(true);
    expect(isSameContact(contact, toContact({ ...registrant, firstName: 'Ada' }))).toBe(false);
  });

  it('have a state, a postal code and a job title, which DNSimple requires', () => {
    const { state: _state, postalCode: _postalCode, ...address } = registrant.address;

    expect(toContact({ ...registrant, address })).toMatchObject({
      state_province: 'Roma',
      postal_code: '00000',
      job_title: 'Domain Administrator',
    });
  });

  it('are unknown if their phone number is not an international one', () => {
    expect(toRegistrant({ ...contact, phone: '555' })).toBeUndefined();
  });
});

describe('DS records of DNSimple', () => {
  const digest = 'C1F6E04A5A61FBF65BF9DC8294C363CF11C89E802D926BDAB79C55D27BEFA94F';
  const signer = { keyTag: 44620, algorithm: 8, digestType: 2, digest };
  const record = { id: 24, algorithm: '8', digest: digest.toLowerCase(), digest_type: '2', keytag: '44620' };

  it('have numbers as text and a digest in any case', () => {
    expect(toDsRecord(NAME, record)).toEqual(signer);
    expect(wouldCreate(record, toDnsimpleDsRecord(signer, false))).toBe(true);
    expect(wouldCreate({ ...record, keytag: '1' }, toDnsimpleDsRecord(signer, false))).toBe(false);
  });

  it('are computed from a key if the registry takes keys (the example of RFC 4509)', () => {
    const publicKey =
      'AQOeiiR0GOMYkDshWoSKz9Xz fwJr1AYtsmx3TGkJaNXVbfi/ 2pHm822aJ5iI9BMzNXxeYCmZ DRD99WYwYqUSdjMmmAphXdvx egXd/M5+X7OrzKBaMbCVdFLU Uh6DhweJBjEVv5f2wwjM9Xzc nOf+EPbtG9DMBmADjFDc2w/r ljwvFw==';

    const owner = DomainName.fromState('dskey.example.com');
    const computed = toDsRecord(owner, { id: 1, algorithm: '5', public_key: publicKey });

    expect(computed.key).toEqual({ flags: 257, algorithm: 5, publicKey: publicKey.replaceAll(' ', '') });
    expect(computed).toMatchObject({ keyTag: 60486, algorithm: 5, digestType: 2 });
    expect(wouldCreate({ algorithm: '5', public_key: publicKey }, toDnsimpleDsRecord(computed, true))).toBe(true);
  });

  it('are rejected without a key if the registry takes keys', () => {
    expect(() => toDnsimpleDsRecord(signer, true)).toThrow(expect.objectContaining({ reason: 'policy' }));
  });
});

describe('orders and rejections of DNSimple', () => {
  it.each([
    ['new', 'open'],
    ['registering', 'open'],
    ['a state of tomorrow', 'open'],
    ['registered', 'completed'],
    ['renewed', 'completed'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ])('the state %s is %s', (state, expected) => {
    expect(stateOf({ id: 1, state, created_at: '2020-06-05T18:08:00Z' })).toBe(expected);
  });

  it('a failed transfer is rejected', () => {
    expect(toTransfer(NAME, { id: 361, state: 'failed', created_at: '2020-06-05T18:08:00Z' })).toEqual({
      name: NAME,
      direction: 'in',
      status: 'rejected',
      requestedAt: new Date('2020-06-05T18:08:00Z'),
    });
  });

  it.each([
    [400, 'auth_code'],
    [402, 'credit'],
    [403, 'policy'],
    [404, 'not_held'],
    [412, 'policy'],
  ])('the status %d is a rejection for the reason %s', (status, reason) => {
    const rejection = toRejection(new DnsimpleError(status, 'no', []), 'auth_code');

    expect(rejection).toBeInstanceOf(RegistryRejected);
    expect(rejection).toMatchObject({ reason, details: 'no' });
  });
});
