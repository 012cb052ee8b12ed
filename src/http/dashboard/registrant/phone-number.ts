import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

const EPP = /^\+\d{1,3}\.\d{1,14}$/;

/**
 * A phone number as people write it in the form of EPP (RFC 5733): `020 7946 0000` in GB is `+44.2079460000`. Returns text that is no
 * complete phone number as it is. With the metadata that class-validator has loaded anyway.
 * @param country ISO 3166-1 alpha-2, for numbers without a country code
 */
export function toEppPhone(text: string, country: string): string {
  const trimmed = text.trim();
  if (EPP.test(trimmed)) return trimmed;
  const parsed = parsePhoneNumberFromString(trimmed, {
    ...(country !== '' && { defaultCountry: country as CountryCode }),
    extract: false,
  });
  if (!parsed?.isPossible() || parsed.ext !== undefined) return trimmed;
  return `+${parsed.countryCallingCode}.${parsed.nationalNumber}`;
}
