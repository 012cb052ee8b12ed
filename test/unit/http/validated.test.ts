import { NameserversBody, QuoteBody, RegisterDomainBody } from '../../../src/http/api/dto/domain-bodies';
import { EditRecordsBody } from '../../../src/http/api/dto/record-bodies';
import { validated } from '../../../src/http/api/dto/validated';
import { thrownBy } from '../../support/thrown-by';

const REGISTRANT = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone: '+44.2079460000', address: { street: '12 St James Square', city: 'London', country: 'GB' } };

describe('the shape of a body', () => {
  it('takes the largest batch there may be', () => {
    const record = { id: 'rec_1', type: 'A', name: 'www', content: '192.0.2.1', ttl: 60, priority: null, weight: null, port: null, created_at: 'then', updated_at: 'now' };

    expect(validated(EditRecordsBody, { update: Array.from({ length: 500 }, () => record) }).update).toHaveLength(500);
  });

  it.each([
    ['members that nobody knows', Object.fromEntries(Array.from({ length: 8_001 }, (_, index) => [`m${index}`, 1]))],
    ['such members within a record', { create: [Object.fromEntries(Array.from({ length: 8_001 }, (_, index) => [`m${index}`, 1]))] }],
    ['empty records', { create: Array.from({ length: 8_001 }, () => ({})) }],
  ])('is not looked at further where the body has thousands of %s', (_what, body) => {
    expect(thrownBy(() => validated(EditRecordsBody, body))).toMatchObject({ code: 'VALIDATION_ERROR', details: 'The body must not have more than 8000 values' });
  });

  it.each([
    [NameserversBody, {}, 'nameservers must be an array'],
    [NameserversBody, { nameservers: null }, 'nameservers must be an array'],
    [NameserversBody, { nameservers: ['ns1.example.net', 5] }, 'nameservers must have strings only'],
    [QuoteBody, {}, 'domains must be an array'],
    [QuoteBody, { domains: [5] }, 'domains[0] must be an object'],
    [QuoteBody, { domains: [{ name: 'a.com' }, { name: 5, years: '2' }] }, 'domains[1].name must be a string; domains[1].years must be an integer number'],
    [RegisterDomainBody, { name: 'a.com' }, 'contacts must be an object'],
    [RegisterDomainBody, { name: 'a.com', contacts: { registrant: REGISTRANT }, auto_renewal: true }, 'auto_renewal is not a known member'],
    [RegisterDomainBody, { name: 'a.com', contacts: { registrant: { ...REGISTRANT, address: 'London' } } }, 'contacts.registrant.address must be an object'],
    [RegisterDomainBody, [], 'The body must be a JSON object'],
    [RegisterDomainBody, undefined, 'The body must be a JSON object'],
  ])('%p refuses %j: %s', (Shape, body, details) => {
    expect(thrownBy(() => validated<object>(Shape, body))).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });
});
