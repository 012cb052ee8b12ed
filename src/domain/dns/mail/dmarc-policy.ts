import { isEmailAddress } from '../../shared/email-address';
import { ValidationError } from '../../shared/validation-error';

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
type DmarcDisposition = (typeof DMARC_POLICIES)[number];

/** A DMARC record (RFC 7489, section 6.3) by its parts. */
interface DmarcPolicy {
  readonly policy: DmarcDisposition;
  /** Of subdomains; undefined: as the domain. */
  readonly subdomains: DmarcDisposition | undefined;
  /** Where aggregate reports go. */
  readonly reports: readonly string[];
  readonly hasStrictDkim: boolean;
  readonly hasStrictSpf: boolean;
  /** Other tags, as they are. */
  readonly others: readonly string[];
}

interface DmarcRecord extends DmarcPolicy {
  /** Sentences; with any of them, receivers do not apply the policy (section 6.6.3). */
  readonly errors: readonly string[];
  /** Sentences about tags that receivers ignore. */
  readonly warnings: readonly string[];
}

/** Section 6.4: spaces may surround the first "=", and `DMARC1` is case-sensitive. */
const RECORD = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
/** What is meant as a DMARC record, and is none for receivers. */
const LOOKALIKE = /^\s*"?\s*v\s*=?\s*dmarc/i;

/** Tags that receivers replace by the default if their value is invalid (section 6.3). */
const TAG_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['adkim', /^[rs]$/i],
  ['aspf', /^[rs]$/i],
  ['pct', /^(?:100|\d{1,2})$/],
  ['ri', /^\d{1,10}$/],
  ['fo', /^[01ds](?:[ \t]*:[ \t]*[01ds])*$/i],
]);

export function isDmarcText(text: string): boolean {
  return RECORD.test(text);
}

export function resemblesDmarc(text: string): boolean {
  return !isDmarcText(text) && LOOKALIKE.test(text);
}

/** Reads a record that `isDmarcText`. */
export function parseDmarcPolicy(record: string): DmarcRecord {
  const tags = record
    .split(';')
    .slice(1)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const values = new Map(tags.map((tag) => [nameOf(tag), valueOf(tag)]));
  const disposition = (name: string) => DMARC_POLICIES.find((each) => each === values.get(name)?.toLowerCase());
  const uris = (values.get('rua') ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
  return {
    policy: disposition('p') ?? 'none',
    subdomains: disposition('sp'),
    reports: uris.map((uri) => uri.replace(/^mailto:/i, '')),
    hasStrictDkim: values.get('adkim')?.toLowerCase() === 's',
    hasStrictSpf: values.get('aspf')?.toLowerCase() === 's',
    others: tags.filter((tag) => !['p', 'sp', 'rua', 'adkim', 'aspf'].includes(nameOf(tag))),
    errors: [...dispositionErrors(values), ...repetitionErrors(tags)],
    warnings: [
      ...tags.filter((tag) => !tag.includes('=')).map((tag) => `"${tag}" is not a tag of a DMARC record`),
      ...uris
        .filter((uri) => !/^mailto:[^@\s]+@[^@\s]+$/i.test(uri))
        .map((uri) => `rua: "${uri}" is no mailto: address`),
      ...[...TAG_VALUES].flatMap(([name, shape]) => {
        const value = values.get(name);
        return value === undefined || shape.test(value)
          ? []
          : [`${name}: "${value}" is invalid, so the default counts`];
      }),
    ],
  };
}

function dispositionErrors(values: ReadonlyMap<string, string>): readonly string[] {
  const policy = values.get('p');
  if (policy === undefined) return ['The DMARC record has no policy (p=)'];
  return ['p', 'sp'].flatMap((name) => {
    const value = values.get(name);
    return value === undefined || DMARC_POLICIES.some((each) => each === value.toLowerCase())
      ? []
      : [`The DMARC policy ${name}=${value} is unknown`];
  });
}

/** RFC 6376, section 3.2: a tag list with two tags of one name is invalid. */
function repetitionErrors(tags: readonly string[]): readonly string[] {
  const names = tags.map(nameOf);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) => `The DMARC record has the tag ${name} more than once`);
}

/** @throws ValidationError */
export function writeDmarcPolicy(policy: DmarcPolicy): string {
  const reports = policy.reports.map(toMailto);
  const record = [
    'v=DMARC1',
    `p=${policy.policy}`,
    ...(policy.subdomains ? [`sp=${policy.subdomains}`] : []),
    ...(reports.length > 0 ? [`rua=${reports.join(',')}`] : []),
    ...(policy.hasStrictDkim ? ['adkim=s'] : []),
    ...(policy.hasStrictSpf ? ['aspf=s'] : []),
    ...policy.others,
  ].join('; ');
  const [error] = parseDmarcPolicy(record).errors;
  if (error !== undefined) throw ValidationError.of('tags', `are invalid: ${error}`);
  return record;
}

function nameOf(tag: string): string {
  return tag.split('=', 1)[0]?.trim().toLowerCase() ?? '';
}

function valueOf(tag: string): string {
  return tag.includes('=') ? tag.slice(tag.indexOf('=') + 1).trim() : '';
}

/** RFC 7489, section 6.2: `,`, `!` and `;` would end the address; a size limit after `!` stays. */
function toMailto(text: string): string {
  if (/^https?:/i.test(text)) return text;
  const [address = '', limit] = text.split('!');
  if (!isEmailAddress(address))
    throw ValidationError.of('reports', `must be e-mail addresses, and “${text.slice(0, 60)}” is none`);
  return limit === undefined ? `mailto:${address}` : `mailto:${address}!${limit}`;
}
