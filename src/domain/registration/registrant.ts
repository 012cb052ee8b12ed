import { EMAIL_EXPECTATION, isEmailAddress } from '../shared/email-address';
import type { Issue } from '../shared/issue';
import { ValidationError } from '../shared/validation-error';
import { transliterate } from './names/transliterate';

/** ISO 3166-1 alpha-2, officially assigned codes. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ ' +
    'NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

interface PostalAddress {
  readonly street: string;
  /** The second and the third line of the street. EPP has up to three (RFC 5733). */
  readonly street2?: string | undefined;
  readonly street3?: string | undefined;
  readonly city: string;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** The holder of a domain. The limits are those of EPP contacts (RFC 5733). */
export interface Registrant {
  /** Empty for a person with one name, and for an organization without a person. */
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** `+CC.NUMBER` (E.164 as EPP writes it). */
  readonly phone: string;
  /** Digits to dial after the number. */
  readonly phoneExtension?: string | undefined;
  readonly organization?: string | undefined;
  /** The number of the organization in its official register. */
  readonly companyNumber?: string | undefined;
  /** The legal form of the organization, as the registry names it: `LTD`, `BV`. */
  readonly legalForm?: string | undefined;
  readonly address: PostalAddress;
}

interface FieldRule {
  readonly field: string;
  readonly read: (registrant: Registrant) => string | undefined;
  readonly accepts: (value: string) => boolean;
  readonly expectation: string;
}

const PHONE = /^\+\d{1,3}\.\d{1,14}$/;
/** Control characters, lone surrogates and noncharacters such as U+FFFE, which XML 1.0 does not allow or does not preserve. */
const UNSUPPORTED = /[\p{Cc}\p{Cs}\p{NChar}]/u;

/** The limits hold for the transliterated text, too, because registries get both (RFC 5733 section 2.3). */
const fits = (value: string, max: number) => value.length <= max && transliterate(value).length <= max;
const isText = (max: number) => (value: string) =>
  value.trim().length > 0 && fits(value, max) && !UNSUPPORTED.test(value);
const MAX_LINE = 255;
const LINE = {
  accepts: isText(MAX_LINE),
  expectation:
    'must be a text of 1 to 255 characters without control characters, also when it is transliterated (ß to ss)',
};

const RULES: readonly FieldRule[] = [
  { field: 'first_name', read: (r) => r.firstName || undefined, ...LINE },
  { field: 'last_name', read: (r) => r.lastName, ...LINE },
  { field: 'email', read: (r) => r.email, accepts: isEmailAddress, expectation: EMAIL_EXPECTATION },
  {
    field: 'phone',
    read: (r) => r.phone,
    accepts: (v) => v.length <= 17 && PHONE.test(v),
    expectation: 'must have the form +CC.NUMBER: 1 to 3 digits, a dot, 1 to 14 digits; at most 17 characters',
  },
  {
    field: 'phone_extension',
    read: (r) => r.phoneExtension,
    accepts: (v) => /^\d{1,10}$/.test(v),
    expectation: 'must be 1 to 10 digits',
  },
  { field: 'organization', read: (r) => r.organization, ...LINE },
  { field: 'company_number', read: (r) => r.companyNumber, ...LINE },
  { field: 'legal_form', read: (r) => r.legalForm, ...LINE },
  { field: 'address.street', read: (r) => r.address.street, ...LINE },
  { field: 'address.street2', read: (r) => r.address.street2, ...LINE },
  { field: 'address.street3', read: (r) => r.address.street3, ...LINE },
  { field: 'address.city', read: (r) => r.address.city, ...LINE },
  { field: 'address.state', read: (r) => r.address.state, ...LINE },
  {
    field: 'address.postal_code',
    read: (r) => r.address.postalCode,
    accepts: isText(16),
    expectation: 'must be a text of 1 to 16 characters without control characters',
  },
  {
    field: 'address.country',
    read: (r) => r.address.country,
    accepts: (v) => COUNTRY_CODES.has(v),
    expectation: 'must be an ISO 3166-1 alpha-2 country code in upper case',
  },
];

const OF_ORGANIZATIONS: ReadonlySet<string> = new Set(['company_number', 'legal_form']);

/** @throws ValidationError that names every invalid field, each as `path.field`. */
export function assertRegistrant(registrant: Registrant, path: string): void {
  const issues = RULES.flatMap(({ field, read, accepts, expectation }): Issue[] => {
    const value = read(registrant);
    return value === undefined || accepts(value) ? [] : [{ path: `${path}.${field}`, message: expectation }];
  });
  if (registrant.organization === undefined)
    for (const { field, read } of RULES.filter((rule) => OF_ORGANIZATIONS.has(rule.field)))
      if (read(registrant) !== undefined)
        issues.push({ path: `${path}.${field}`, message: 'must be absent without organization' });
  if (issues.length === 0 && !fits(registrantName(registrant), MAX_LINE)) {
    const message = 'must have at most 255 characters together with first_name, also when they are transliterated';
    issues.push({ path: `${path}.last_name`, message });
  }
  if (registrant.address.street3 !== undefined && registrant.address.street2 === undefined)
    issues.push({ path: `${path}.address.street3`, message: 'must be absent without street2' });
  if (issues.length > 0) throw new ValidationError(issues);
}

/** Both names as one, as in EPP. */
export function registrantName({ firstName, lastName }: Pick<Registrant, 'firstName' | 'lastName'>): string {
  return firstName === '' ? lastName : `${firstName} ${lastName}`;
}

/** The lines of the street. */
export function streetLines({ street, street2, street3 }: Registrant['address']): readonly string[] {
  return [street, street2, street3].flatMap((line) => line || []);
}

/** The members of an address for the lines that a registry returned; more than three share the third. */
export function streetOf(lines: readonly string[]): Pick<Registrant['address'], 'street' | 'street2' | 'street3'> {
  const [street = '', street2, ...others] = lines.filter((line) => line !== '');
  return { street, ...(street2 && { street2 }), ...(others.length > 0 && { street3: others.join(', ') }) };
}

/** Whether both are the same person or organization at the same addresses. Registries change letter case, spaces and punctuation. */
export function isSameRegistrant(left: Registrant, right: Registrant): boolean {
  return comparable(left) === comparable(right);
}

/** JSON with sorted members, without absent ones. */
function comparable(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'string')
      return inner
        .normalize('NFC')
        .toLowerCase()
        .replaceAll(/[\s.,]+/gu, ' ')
        .trim();
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
