import { parseCharacterStrings, quoteCharacterString } from './character-string';
import type { ContentForm } from './content-form';

const MAX_VALUE_LENGTH = 1024;
/** The longest valid input: every octet of the value escaped. */
const MAX_INPUT_LENGTH = 4 * MAX_VALUE_LENGTH + 64;
const PRINTABLE_ASCII = /^[ -~]*$/;
/** 0, or 128 for the issuer-critical bit (RFC 8659, section 4.1). Leading zeros are removed. */
const FLAGS = /^0*(0|128)$/;

const ISSUER = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/i;
const PARAMETER = /^[a-z0-9]+(?:-+[a-z0-9]+)* *= *[!-:<-~]*$/i;
const REPORT_URL = /^(?:mailto|https?):[!-~]+$/i;

/** Value parsers by tag. Tags: IANA registry "Certification Authority Restriction Properties". */
const VALUE_PARSERS: ReadonlyMap<string, (value: string) => string | undefined> = new Map([
  ['issue', issuerValue], // RFC 8659, section 4.2
  ['issuewild', issuerValue], // RFC 8659, section 4.3
  ['issuemail', issuerValue], // RFC 9495, section 3
  ['issuevmc', issuerValue], // BIMI
  ['iodef', reportUrl], // RFC 8659, section 4.4
  ['contactemail', notEmpty], // CA/B Forum Baseline Requirements, A.1
  ['contactphone', notEmpty],
]);

export const CAA_TAGS: readonly string[] = [...VALUE_PARSERS.keys()];

/** `<flags> <tag> "<value>"`, RFC 8659, section 4.1.1; stored with the tag in lower case and the value in quotes. */
export const caaContent: ContentForm = {
  canonicalize: (content) => {
    const caa = parseCaa(content);
    return caa && `${caa.flags} ${caa.tag} ${quoteCharacterString(caa.value)}`;
  },
  presentation: (canonical) => canonical,
};

interface Caa {
  readonly flags: string;
  readonly tag: string;
  readonly value: string;
}

function parseCaa(content: string): Caa | undefined {
  if (content.length > MAX_INPUT_LENGTH) return undefined;
  const parts = parseCharacterStrings(content)?.map(({ octets }) => octets) ?? [];
  const [flagsGiven = '', tagGiven = '', valueGiven = ''] = parts;
  if (parts.length !== 3 || valueGiven.length > MAX_VALUE_LENGTH || !PRINTABLE_ASCII.test(valueGiven)) return undefined;
  const flags = FLAGS.exec(flagsGiven)?.[1];
  const tag = tagGiven.toLowerCase();
  const value = VALUE_PARSERS.get(tag)?.(valueGiven);
  return flags === undefined || value === undefined ? undefined : { flags, tag, value };
}

/** `[domain] [; tag=value ...]`, RFC 8659, section 4.2. "No issuer" is stored as `;` because PowerDNS rejects "". */
function issuerValue(value: string): string | undefined {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  if (issuer === '' && parameters.length === 0) return ';';
  const noParameters = parameters.join('') === '' && parameters.length <= 1;
  const isValid =
    (issuer === '' || ISSUER.test(issuer)) && (noParameters || parameters.every((part) => PARAMETER.test(part)));
  return isValid ? value : undefined;
}

function reportUrl(value: string): string | undefined {
  return REPORT_URL.test(value) ? value : undefined;
}

function notEmpty(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}
