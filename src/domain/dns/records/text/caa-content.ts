import { parseCharacterStrings, quoteCharacterString } from './character-string';
import type { ContentForm } from './content-form';

const MAX_VALUE_LENGTH = 1024;
/** The longest valid input: every octet of the value escaped. */
const MAX_INPUT_LENGTH = 4 * MAX_VALUE_LENGTH + 64;
const PRINTABLE_ASCII = /^[ -~]*$/;
/** 0, or 128 for the issuer-critical bit (RFC 8659, section 4.1). Leading zeros are removed. */
const FLAGS = /^0*(0|128)$/;

const MAX_SHOWN = 60;
const ISSUER = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/i;
const PARAMETER = /^[a-z0-9]+(?:-+[a-z0-9]+)* *= *[!-:<-~]*$/i;
const REPORT_URL = /^(?:mailto|https?):[!-~]+$/i;

/** A part of the content is invalid; the message says which. */
class InvalidPart extends Error {}

/** Value parsers by tag. Tags: IANA registry "Certification Authority Restriction Properties". */
const VALUE_PARSERS: ReadonlyMap<string, (value: string) => string> = new Map([
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
    const caa = attempt(content);
    return typeof caa === 'string' ? undefined : `${caa.flags} ${caa.tag} ${quoteCharacterString(caa.value)}`;
  },
  problem: (content) => {
    const caa = attempt(content);
    return typeof caa === 'string' ? caa : undefined;
  },
  presentation: (canonical) => canonical,
};

interface Caa {
  readonly flags: string;
  readonly tag: string;
  readonly value: string;
}

/** Returns the message of the first invalid part. */
function attempt(content: string): Caa | string {
  try {
    return parseCaa(content);
  } catch (error) {
    if (error instanceof InvalidPart) return error.message;
    throw error;
  }
}

/** @throws InvalidPart */
function parseCaa(content: string): Caa {
  const parts = content.length > MAX_INPUT_LENGTH ? undefined : parseCharacterStrings(content);
  if (parts?.length !== 3)
    throw new InvalidPart('it needs flags, a tag and a value in quotes, such as 0 issue "ca.example.net"');
  const [flagsGiven = '', tagGiven = '', value = ''] = parts;
  const flags = FLAGS.exec(flagsGiven)?.[1];
  if (flags === undefined) throw new InvalidPart(`the flags ${shown(flagsGiven)} must be 0, or 128 for critical`);
  const tag = tagGiven.toLowerCase();
  const parseValue = VALUE_PARSERS.get(tag);
  if (!parseValue) throw new InvalidPart(`the tag ${shown(tagGiven)} must be one of ${CAA_TAGS.join(', ')}`);
  if (value.length > MAX_VALUE_LENGTH || !PRINTABLE_ASCII.test(value))
    throw new InvalidPart(`the value must have at most ${MAX_VALUE_LENGTH} ASCII characters`);
  return { flags, tag, value: parseValue(value) };
}

/** `[domain] [; tag=value ...]`, RFC 8659, section 4.2. "No issuer" is stored as `;` because PowerDNS rejects "". */
function issuerValue(value: string): string {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  if (issuer === '' && parameters.length === 0) return ';';
  if (issuer.endsWith('.')) throw new InvalidPart(`the issuer ${shown(issuer)} must not end with a dot`);
  if (issuer !== '' && !ISSUER.test(issuer))
    throw new InvalidPart(
      `the issuer ${shown(issuer)} must be a domain name such as ca.example.net, or ; if no CA may issue`,
    );
  const invalid =
    parameters.length === 1 && parameters[0] === '' ? undefined : parameters.find((part) => !PARAMETER.test(part));
  if (invalid !== undefined) throw new InvalidPart(`the parameter ${shown(invalid)} must have the form name=value`);
  return value;
}

function reportUrl(value: string): string {
  if (!REPORT_URL.test(value))
    throw new InvalidPart(`the value ${shown(value)} must be a mailto:, http: or https: URL`);
  return value;
}

function notEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidPart('the value must not be empty');
  return value;
}

function shown(part: string): string {
  return `"${part.length > MAX_SHOWN ? `${part.slice(0, MAX_SHOWN)}…` : part}"`;
}
