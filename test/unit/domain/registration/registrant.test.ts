import { assertRegistrant, type Registrant } from '../../../../src/domain/registration/registrant';
import { ValidationError } from '../../../../src/domain/shared/validation-error';
import { REGISTRANT } from '../../../../src/testing/registry-fixtures';
import { thrownBy } from '../../../support/thrown-by';

function faultsOf(change: Partial<Registrant>, address: Partial<Registrant['address']> = {}): readonly string[] {
  const refusal = thrownBy(() =>
    assertRegistrant(
      { ...REGISTRANT, ...change, address: { ...REGISTRANT.address, ...address } },
      'contacts.registrant',
    ),
  );
  if (refusal === undefined) return [];
  if (!(refusal instanceof ValidationError)) throw refusal;
  return refusal.issues.map(({ path }) => path);
}

describe('a registrant', () => {
  it.each<[string, Partial<Registrant>, Partial<Registrant['address']>]>([
    ['names in any script', { firstName: 'Ólöf', lastName: '愛' }, { street: 'Große Straße 1', city: 'Łódź' }],
    ['a character beyond the basic plane', { lastName: '\u{20BB7}野' }, {}],
    [
      'the longest of each',
      { firstName: 'a'.repeat(200), lastName: 'b'.repeat(54), phone: '+123.45678901234' },
      { postalCode: '1'.repeat(16) },
    ],
    [
      'an organization with a company number',
      { organization: 'Müller KG', companyNumber: 'HRA 1234 (Köln)', legalForm: 'KG' },
      {},
    ],
    ['one name', { firstName: '', lastName: 'Ratna' }, {}],
    [
      'a phone extension and three lines of the street',
      { phoneExtension: '1234' },
      { street2: 'Floor 2', street3: 'B' },
    ],
    ['no organization, state or postal code', { organization: undefined }, { state: undefined, postalCode: undefined }],
  ])('may have %s', (_, change, address) => {
    expect(faultsOf(change, address)).toEqual([]);
  });

  it.each<[string, string]>([
    ['blanks', ' \u00a0 '],
    ['256 characters', 'a'.repeat(256)],
    ['a line break', 'a\nb'],
    ['half a surrogate pair', 'a\ud800b'],
    ['a noncharacter, which XML cannot carry', 'a\ufffe'],
    ['a noncharacter beyond the basic plane', 'a\u{1ffff}'],
  ])('has no line of %s', (_, line) => {
    expect(
      faultsOf(
        { firstName: line, lastName: line, organization: line, companyNumber: line },
        { street: line, city: line, state: line },
      ),
    ).toEqual(
      [
        'first_name',
        'last_name',
        'organization',
        'company_number',
        'address.street',
        'address.city',
        'address.state',
      ].map((field) => `contacts.registrant.${field}`),
    );
  });

  it.each<[string, Partial<Registrant>, Partial<Registrant['address']>]>([
    ['email', { email: 'ada at example.com' }, {}],
    ['email', { email: 'a\u0001@example.com' }, {}],
    ['email', { email: 'a\uffff@example.com' }, {}],
    ['last_name', { lastName: '' }, {}],
    ['last_name', { firstName: 'a'.repeat(200), lastName: 'b'.repeat(55) }, {}],
    ['last_name', { firstName: 'ß'.repeat(120), lastName: 'b'.repeat(15) }, {}],
    ['organization', { organization: 'ß'.repeat(128) }, {}],
    ['address.street', {}, { street: 'æ'.repeat(128) }],
    ['address.street2', {}, { street2: 'æ'.repeat(128) }],
    ['address.street3', {}, { street3: 'Floor 2' }],
    ['address.city', {}, { city: '\ufb03'.repeat(86) }],
    ['phone_extension', { phoneExtension: 'x12' }, {}],
    ['company_number', { organization: undefined, companyNumber: '12345678' }, {}],
    ['legal_form', { organization: undefined, legalForm: 'LTD' }, {}],
    ['phone', { phone: '+44 20 7946 0000' }, {}],
    ['phone', { phone: '+1234.5' }, {}],
    ['address.postal_code', {}, { postalCode: '1'.repeat(17) }],
    ['address.country', {}, { country: 'UK' }],
    ['address.country', {}, { country: 'de' }],
  ])('is refused for its %s alone', (field, change, address) => {
    expect(faultsOf(change, address)).toEqual([`contacts.registrant.${field}`]);
  });
});
