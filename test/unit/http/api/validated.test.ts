import { NameserversBody } from '../../../../src/http/api/resources/registration/settings';
import {
  PriceLimitBody,
  QuoteBody,
  RegisterDomainBody,
} from '../../../../src/http/api/resources/registration/registration';
import { AddRecordBody, EditRecordsBody } from '../../../../src/http/api/resources/dns/records';
import { assertNoMembers, validated } from '../../../../src/http/api/validated';
import { thrownBy } from '../../../support/thrown-by';

const REGISTRANT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44.2079460000',
  address: { street: '12 St James Square', city: 'London', country: 'GB' },
};

describe('the shape of a body', () => {
  it('accepts the largest batch', () => {
    const record = {
      id: 'rec_1',
      type: 'A',
      name: 'www',
      content: '192.0.2.1',
      ttl: 60,
      priority: null,
      weight: null,
      port: null,
      created_at: 'then',
      updated_at: 'now',
    };

    expect(validated(EditRecordsBody, { update: Array.from({ length: 500 }, () => record) }).update).toHaveLength(500);
  });

  it.each([
    [NameserversBody, {}, 'nameservers is required'],
    [NameserversBody, { nameservers: null }, 'nameservers must be an array'],
    [NameserversBody, { nameservers: ['ns1.example.net', 5] }, 'nameservers must have strings only'],
    [QuoteBody, {}, 'domains is required'],
    [QuoteBody, { domains: [{}] }, 'domains[0].name is required'],
    [QuoteBody, { domains: [5] }, 'domains[0] must be an object'],
    [
      QuoteBody,
      { domains: [{ name: 'a.com' }, { name: 5, years: '2' }] },
      'domains[1].name must be a string; domains[1].years must be an integer',
    ],
    [EditRecordsBody, { create: [[]], update: [[]] }, 'create must have objects only; update must have objects only'],
    [EditRecordsBody, { create: {}, update: { length: 1 } }, 'create must be an array; update must be an array'],
    [
      AddRecordBody,
      { type: 'MX', name: '@', content: 'mail.example.com', priority: '10', ttl: null },
      'ttl must be a number; priority must be a number',
    ],
    [RegisterDomainBody, { name: 'a.com' }, 'contacts is required'],
    [PriceLimitBody, { max_price: { amount: '20', currency: 'USD' } }, 'max_price.amount must be a number'],
    [RegisterDomainBody, { name: 'a.com', contacts: null }, 'contacts must be an object'],
    [
      RegisterDomainBody,
      { name: 'a.com', contacts: { registrant: REGISTRANT }, auto_renewal: true },
      'auto_renewal is not a known member',
    ],
    [
      RegisterDomainBody,
      { name: 'a.com', contacts: { registrant: { ...REGISTRANT, address: 'London' } } },
      'contacts.registrant.address must be an object',
    ],
    [RegisterDomainBody, [], 'The body must be a JSON object'],
    [RegisterDomainBody, undefined, 'The body must be a JSON object'],
    [NameserversBody, { nameservers: [], '': 1 }, '"" is not a known member'],
  ])('%p refuses %j: %s', (Shape, body, details) => {
    expect(thrownBy(() => validated<object>(Shape, body))).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it.each([...Object.getOwnPropertyNames(Object.prototype)])(
    'has no member %s, though every object inherits one',
    (member) => {
      const body: unknown = JSON.parse(`{"nameservers":[],"${member}":1}`);

      expect(thrownBy(() => validated(NameserversBody, body))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: `${member} is not a known member`,
      });
    },
  );

  it.each([
    [
      EditRecordsBody,
      '{"create":[{"type":"A","name":"@","content":"192.0.2.1","__proto__":{"ttl":5}}]}',
      'create[0].__proto__ is not a known member',
    ],
    [
      RegisterDomainBody,
      `{"name":5,"contacts":{"registrant":${JSON.stringify(REGISTRANT).replace('{"street"', '{"__proto__":null,"street"')}}}`,
      'contacts.registrant.address.__proto__ is not a known member; name must be a string',
    ],
    [
      NameserversBody,
      '{"__proto__":{"__proto__":1},"toString":[],"years":1,"nameservers":[]}',
      '__proto__ is not a known member; toString is not a known member; years is not a known member',
    ],
    [
      NameserversBody,
      '{"nameservers":[{"__proto__":[]}],"more":{"__proto__":1}}',
      'more is not a known member; nameservers must have strings only',
    ],
  ])('%p names such members of %s by their paths, as others and beside them', (Shape, body, details) => {
    const error = thrownBy(() => validated<object>(Shape, JSON.parse(body)));

    expect(error?.details?.split('; ').toSorted().join('; ')).toBe(details);
  });

  it('names a hundred faulty members and says how many more there are', () => {
    const body = Object.fromEntries(Array.from({ length: 104 }, (_, index) => [`m${index}`, 1]));

    expect(thrownBy(() => validated(NameserversBody, { nameservers: [], ...body }))).toMatchObject({
      details: expect.stringMatching(/^m0 is not a known member; .*; m99 is not a known member; and 4 more$/),
    });
  });

  it('refuses objects of more than 500 members and bodies of more than 1,100 objects before it looks at each', () => {
    const members = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`m${index}`, 1]));
    const objects = Array.from({ length: 1_101 }, () => ({}));

    expect(thrownBy(() => validated(NameserversBody, members))).toMatchObject({
      details: 'The body must not have more than 500 members',
    });
    expect(thrownBy(() => validated(EditRecordsBody, { create: [{ type: members }] }))).toMatchObject({
      details: 'create[0].type must not have more than 500 members',
    });
    expect(thrownBy(() => validated(EditRecordsBody, { create: objects }))).toMatchObject({
      details: 'The body must not have more than 1100 objects',
    });
  });

  it('may be absent or empty for routes without body parameters', () => {
    expect(thrownBy(() => assertNoMembers(undefined))).toBeUndefined();
    expect(thrownBy(() => assertNoMembers({}))).toBeUndefined();
    expect(thrownBy(() => assertNoMembers({ years: 1 }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'years is not a known member',
    });
    expect(thrownBy(() => assertNoMembers(null))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: 'The body must be a JSON object',
    });
  });
});
