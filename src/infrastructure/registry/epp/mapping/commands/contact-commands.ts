import { createHash } from 'node:crypto';
import { registrantName, streetLines, type Registrant } from '../../../../../domain/registration/registrant';
import { transliterate } from '../../../../../domain/registration/names/transliterate';
import { NAMESPACES } from '../../codec/namespaces';
import { elementFactory, type XmlElement } from '../../codec/xml-element';
import { epp, transform, type EppCommand } from './command';
import { RESULT } from '../result-codes';

const contact = elementFactory(NAMESPACES.contact);

const ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** With the prefix 16 characters, the maximum of RFC 5733. 70 bits of the digest. */
const ID_LENGTH = 14;
const ID_PREFIX = 'NW';

/** Elements that the registry shows to others, or does not (RFC 5733 section 2.9). */
export interface Disclosure {
  readonly flag: boolean;
  readonly elements: readonly ('name' | 'org' | 'addr' | 'voice' | 'fax' | 'email')[];
}

/** The postal data of a contact: `int`, with `loc` if it is not ASCII, or always `loc` alone. */
export type PostalForm = 'int-or-loc' | 'loc';

/**
 * A contact id that is a digest of the registrant's data: equal data finds the existing contact, other data gets a new one.
 */
export function contactIdOf(registrant: Registrant, clientId: string): string {
  const { firstName, lastName, email, phone, phoneExtension, organization, companyNumber, legalForm, address } =
    registrant;
  const { street, street2, street3, city, state, postalCode, country } = address;
  const facts = [
    clientId,
    firstName,
    lastName,
    email,
    phone,
    organization ?? '',
    street,
    city,
    state ?? '',
    postalCode ?? '',
    country,
    // Absent ones add nothing, so that contacts from before these fields keep their ids.
    ...(legalForm === undefined ? [] : [companyNumber ?? '', legalForm]),
    ...(legalForm === undefined && companyNumber !== undefined ? [companyNumber] : []),
    ...(phoneExtension || street2 || street3 ? [{ phoneExtension, street2, street3 }] : []),
  ];
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest();
  return ID_PREFIX + [...digest.subarray(0, ID_LENGTH)].map((byte) => ID_DIGITS[byte % ID_DIGITS.length]).join('');
}

/** The schema requires `authCode`. It is random and not stored. */
export function createContact(
  id: string,
  registrant: Registrant,
  authCode: string,
  disclose?: Disclosure,
  form: PostalForm = 'int-or-loc',
): EppCommand {
  const body = contact('create', [
    contact('id', id),
    postalInfos(registrant, form),
    contact('voice', registrant.phone, { x: registrant.phoneExtension }),
    contact('email', registrant.email),
    contact('authInfo', contact('pw', authCode)),
    disclose && discloseElement(disclose, registrant, form),
  ]);
  return { ...transform('contact:create', epp('create', body), { expected: [RESULT.exists] }), registrant };
}

/** Deletes a contact that nothing refers to. */
export function deleteContact(id: string): EppCommand {
  return transform('contact:delete', epp('delete', contact('delete', contact('id', id))), {
    expected: [RESULT.associated, RESULT.missing],
  });
}

/** RFC 5733 section 2.9: `name`, `org` and `addr` once for each form of the postal data, in the order of the schema. */
function discloseElement({ flag, elements }: Disclosure, registrant: Registrant, form: PostalForm): XmlElement {
  const types = postalInfos(registrant, form).map(({ attributes }) => attributes.get('type'));
  const postal = (['name', 'org', 'addr'] as const).filter((element) => elements.includes(element));
  const others = (['voice', 'fax', 'email'] as const).filter((element) => elements.includes(element));
  return contact(
    'disclose',
    [
      ...postal.flatMap((element) => types.map((type) => contact(element, undefined, { type }))),
      ...others.map((element) => contact(element)),
    ],
    { flag: flag ? '1' : '0' },
  );
}

/** `int` allows only ASCII. Other data goes into `loc`, plus an `int` if it can be transliterated. */
function postalInfos(registrant: Registrant, form: PostalForm): readonly XmlElement[] {
  const local = postalInfo('loc', registrant, (line) => line);
  if (form === 'loc') return [local];
  const international = postalInfo('int', registrant, transliterate);
  if (isAscii(linesOf(registrant).map(transliterate)))
    return isAscii(linesOf(registrant)) ? [international] : [international, local];
  return [local];
}

function linesOf({ firstName, lastName, organization = '', address }: Registrant): readonly string[] {
  const { city, state = '', postalCode = '' } = address;
  return [firstName, lastName, organization, ...streetLines(address), city, state, postalCode];
}

function postalInfo(type: 'int' | 'loc', registrant: Registrant, write: (line: string) => string): XmlElement {
  const { organization, address } = registrant;
  const { city, state, postalCode, country } = address;
  const optional = (element: string, line: string | undefined) => (line ? contact(element, write(line)) : undefined);
  const lines = contact('addr', [
    streetLines(address).map((line) => contact('street', write(line))),
    contact('city', write(city)),
    optional('sp', state),
    optional('pc', postalCode),
    contact('cc', country),
  ]);
  const parts = [contact('name', write(registrantName(registrant))), optional('org', organization), lines];
  return contact('postalInfo', parts, { type });
}

function isAscii(lines: readonly string[]): boolean {
  return lines.every((line) => /^\p{ASCII}*$/u.test(line));
}
