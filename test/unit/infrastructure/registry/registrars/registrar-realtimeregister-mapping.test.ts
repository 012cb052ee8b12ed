import { DomainName, type Registrant } from '../../../../../src/adapter';
import {
  RealtimeRegisterError,
  toError,
} from '../../../../../src/infrastructure/registry/realtimeregister/realtimeregister-client';
import type { RtrDomain } from '../../../../../src/infrastructure/registry/realtimeregister/realtimeregister-responses';
import {
  acknowledged,
  handleOf,
  listedPrice,
  newAuthCode,
  toContact,
  toMessage,
  toOrder,
  toRegistrant,
  toRegistryDomain,
  toRejection,
  toTransfer,
  totalOf,
} from '../../../../../src/infrastructure/registry/realtimeregister/realtimeregister-mapping';
import { policyOf } from '../../../../../src/infrastructure/registry/tld-rules';

const policy = policyOf({ suffix: 'com' });
const NOW = new Date('2026-11-22T10:00:00Z');
const domain: RtrDomain = {
  domainName: 'Example.com',
  registrant: 'johndoe',
  status: ['OK'],
  autoRenew: true,
  premium: false,
  ns: ['NS01.example.net', 'ns02.example.net.'],
  createdDate: '2020-08-30T01:02:03Z',
  updatedDate: '2026-11-01T00:00:00Z',
  expiryDate: '2027-08-30T01:02:03Z',
  keyData: [],
  dsData: [],
};
const registrant: Registrant = {
  firstName: 'Jan',
  lastName: 'van der Berg',
  email: 'jan@example.com',
  phone: '+31.384530759',
  organization: 'Berg BV',
  address: { street: 'Edisonweg 51D', city: 'Flushing', postalCode: '4382NV', country: 'NL' },
};

describe('a domain of Realtime Register', () => {
  it('has names in lower case, dates and the renewal by the registrar', () => {
    expect(toRegistryDomain(domain, policy)).toEqual({
      name: DomainName.fromState('example.com'),
      phase: 'registered',
      sponsoredByUs: true,
      createdByUs: true,
      createdAt: new Date('2020-08-30T01:02:03Z'),
      expiresAt: new Date('2027-08-30T01:02:03Z'),
      nameservers: ['ns01.example.net', 'ns02.example.net'],
      transferLocked: false,
      transferPending: false,
      registrarRenews: true,
    });
  });

  it.each([
    [['REDEMPTION_PERIOD'], { phase: 'redemption', phaseEndsAt: new Date('2026-12-01T00:00:00Z') }],
    [['REDEMPTION_PERIOD', 'PENDING_RESTORE'], { phase: 'pending_restore' }],
    [['PENDING_DELETE'], { phase: 'pending_delete', phaseEndsAt: new Date('2026-11-06T00:00:00Z') }],
    [['AUTO_RENEW_PERIOD'], { phase: 'auto_renew_grace', phaseEndIsEstimate: true }],
    [['SERVER_TRANSFER_PROHIBITED'], { transferLocked: true }],
    [['PENDING_TRANSFER'], { transferPending: true }],
    [['TRANSFER_PERIOD'], { createdByUs: false }],
    [['PENDING_VALIDATION'], { contactVerification: 'pending' }],
    [['A_STATUS_OF_TOMORROW'], { phase: 'registered' }],
  ])('has, with the statuses %j, the data %j', (status, expected) => {
    expect(toRegistryDomain({ ...domain, status }, policy)).toMatchObject(expected);
  });
});

describe('contacts of Realtime Register', () => {
  it('are registrants, and have the same handle for the same data', () => {
    const contact = toContact(registrant);

    expect(toRegistrant(contact)).toEqual(registrant);
    expect(handleOf(contact)).toMatch(/^nw-[0-9a-f]{32}$/);
    expect(handleOf(toContact({ ...registrant }))).toBe(handleOf(contact));
    expect(handleOf(toContact({ ...registrant, email: 'other@example.com' }))).not.toBe(handleOf(contact));
  });

  it('have a postal code, which Realtime Register requires', () => {
    const { postalCode: _postalCode, ...address } = registrant.address;
    const contact = toContact({ ...registrant, address });

    expect(contact.postalCode).toBe('00000');
    expect(toRegistrant(contact).address).toEqual(address);
  });
});

describe('prices of Realtime Register', () => {
  const prices = [{ product: 'domain_com', action: 'RENEW', currency: 'EUR', price: 500 }];

  it('are listed by product, for each year', () => {
    expect(listedPrice(prices, policy, { action: 'RENEW', years: 3, currency: 'EUR' })).toEqual({
      minor: 1_500,
      currency: 'EUR',
    });
    expect(listedPrice(prices, policy, { action: 'RENEW', years: 1, currency: 'USD' })).toBeUndefined();
    expect(
      listedPrice(prices, policyOf({ suffix: 'nl' }), { action: 'RENEW', years: 1, currency: 'EUR' }),
    ).toBeUndefined();
  });

  it('are agreed to by the billables of a quote, without amounts', () => {
    const billables = [{ product: 'domain_com', action: 'CREATE', quantity: 2, amount: 500, total: 1_000 }];

    expect(acknowledged({ total: 1_000, billables })).toEqual({
      billables: [{ product: 'domain_com', action: 'CREATE', quantity: 2 }],
    });
    expect(acknowledged({ total: 0, billables: [] })).toEqual({});
  });

  it('are no decision in another currency', () => {
    expect(() => totalOf({ total: 500, currency: 'EUR', billables: [] }, 'USD')).toThrow(
      expect.objectContaining({ code: 'REGISTRY_UNAVAILABLE' }),
    );
  });
});

describe('errors of Realtime Register', () => {
  it.each([
    [400, 'InsufficientCreditException', 'credit'],
    [400, 'ObjectDoesNotExist', 'not_held'],
    [404, '', 'not_held'],
    [400, 'ObjectExists', 'unavailable'],
    [400, 'ObjectStatusProhibitsOperation', 'status'],
    [400, 'AuthCodeInvalidError', 'auth_code'],
    [400, 'BillableAcknowledgmentNeededException', 'price_changed'],
    [400, 'ConstraintViolationException', 'policy'],
    [403, 'AuthorizationError', 'policy'],
  ])('become, with the status %d and the type %s, rejections for the reason %s', (status, type, reason) => {
    expect(toRejection(new RealtimeRegisterError(status, type, 'no'))).toMatchObject({ reason, details: 'no' });
  });

  it('name the invalid fields', () => {
    const body = {
      type: 'ConstraintViolationException',
      message: 'Invalid',
      violations: [{ field: 'ns', message: 'is empty' }],
    };

    expect(toError({ status: 400, body })).toMatchObject({ type: body.type, message: 'Invalid; ns is empty' });
    expect(toError({ status: 400, body: 'no JSON' })).toMatchObject({ type: '', status: 400 });
  });
});

describe('processes and transfers of Realtime Register', () => {
  it.each([
    ['COMPLETED', 'completed'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
    ['IN_DOUBT', 'open'],
    ['A_STATUS_OF_TOMORROW', 'open'],
  ])('the process status %s is %s', (status, expected) => {
    const process = { id: 46_069_000, status, action: 'renew', type: 'domain', createdDate: '2021-08-11T06:17:15Z' };

    expect(toOrder(process)).toEqual({ id: '46069000', status: expected });
  });

  it.each([
    ['pendingfoa', 'IN', { status: 'pending', direction: 'in', endsAt: NOW }],
    ['failed', 'IN', { status: 'rejected' }],
    ['completed', 'OUT', { status: 'completed', direction: 'out' }],
  ] as const)('a transfer %s %s is %j', (status, type, expected) => {
    const transfer = { status, type, requestedDate: '2020-03-04T12:34:56Z', actionDate: NOW.toISOString() };

    expect(toTransfer(DomainName.fromState('example.nl'), transfer)).toMatchObject(expected);
  });
});

describe('notifications of Realtime Register', () => {
  it('are messages about a name', () => {
    const notification = {
      id: 7,
      fireDate: NOW.toISOString(),
      message: 'Transferred',
      domainName: 'Example.com',
      transferType: 'OUT',
      subjectStatus: 'COMPLETED',
    };

    expect(toMessage(notification, NOW)).toEqual({
      id: '7',
      at: NOW,
      kind: 'transferred_out',
      name: DomainName.fromState('example.com'),
      text: 'Transferred',
    });
  });

  it('are unreadable without a date, and do not block the queue', () => {
    expect(toMessage({ id: 8, message: 'odd' }, NOW)).toMatchObject({
      id: '8',
      unreadable: '{"id":8,"message":"odd"}',
    });
  });
});

it('an auth code has letters of both cases, a digit and a symbol', () => {
  expect(newAuthCode()).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{16,32}$/);
});
