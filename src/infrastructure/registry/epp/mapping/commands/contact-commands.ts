import { createHash } from 'node:crypto';
import type { Registrant } from '../../../../../domain/registration/registrant';
import { NAMESPACES } from '../../codec/namespaces';
import { elementFactory, type XmlElement } from '../../codec/xml-element';
import { epp, transform, type EppCommand } from './command';
import { RESULT } from '../result-codes';

const contact = elementFactory(NAMESPACES.contact);

const MAX_LINE_LENGTH = 255;
const ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** With the prefix 16 characters, the maximum of RFC 5733. 70 bits of the digest. */
const ID_LENGTH = 14;
const ID_PREFIX = 'NW';

/** Letters without a Unicode decomposition, transliterated like in passports (ICAO 9303). */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'oe',
  Ø: 'OE',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '’': "'",
  '–': '-',
};

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
  const { firstName, lastName, email, phone, organization, companyNumber, legalForm, address } = registrant;
  const { street, city, state, postalCode, country } = address;
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
    contact('voice', registrant.phone),
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
  const local = linesOf(registrant);
  if (form === 'loc') return [postalInfo('loc', local, registrant)];
  const international = local.map(toAscii);
  if (local.every(isAscii)) return [postalInfo('int', local, registrant)];
  return international.every(isAscii)
    ? [postalInfo('int', international, registrant), postalInfo('loc', local, registrant)]
    : [postalInfo('loc', local, registrant)];
}

type Lines = readonly [
  name: string,
  organization: string,
  street: string,
  city: string,
  state: string,
  postalCode: string,
];

function linesOf({ firstName, lastName, organization = '', address }: Registrant): Lines {
  return [
    truncate(`${firstName} ${lastName}`),
    organization,
    address.street,
    address.city,
    address.state ?? '',
    address.postalCode ?? '',
  ];
}

function postalInfo(type: 'int' | 'loc', lines: readonly string[], { address: { country } }: Registrant): XmlElement {
  const [name, organization, street, city, state, postalCode] = lines;
  const optional = (element: string, line: string | undefined) => (line ? contact(element, line) : undefined);
  const address = contact('addr', [
    contact('street', street),
    contact('city', city),
    optional('sp', state),
    optional('pc', postalCode),
    contact('cc', country),
  ]);
  return contact('postalInfo', [contact('name', name), optional('org', organization), address], { type });
}

function toAscii(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return truncate(letters.replace(/\P{ASCII}/gu, (letter) => TRANSLITERATIONS[letter] ?? letter));
}

/** Cuts between code points: XML cannot carry half a surrogate pair. */
function truncate(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : Array.from(line).slice(0, MAX_LINE_LENGTH).join('');
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
