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

const RECORD = /^v=DMARC1(?=\s*(?:;|$))/i;

export function isDmarcText(text: string): boolean {
  return RECORD.test(text);
}

/** Reads a record that starts with `v=DMARC1`. */
export function parseDmarcPolicy(record: string): DmarcPolicy {
  const tags = record
    .split(';')
    .slice(1)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const values = new Map(tags.map((tag) => [nameOf(tag), tag.slice(tag.indexOf('=') + 1).trim()]));
  const disposition = (name: string) => DMARC_POLICIES.find((each) => each === values.get(name)?.toLowerCase());
  return {
    policy: disposition('p') ?? 'none',
    subdomains: disposition('sp'),
    reports: (values.get('rua') ?? '')
      .split(',')
      .map((uri) => uri.trim().replace(/^mailto:/i, ''))
      .filter((address) => address !== ''),
    hasStrictDkim: values.get('adkim')?.toLowerCase() === 's',
    hasStrictSpf: values.get('aspf')?.toLowerCase() === 's',
    others: tags.filter((tag) => !['p', 'sp', 'rua', 'adkim', 'aspf'].includes(nameOf(tag))),
  };
}

/** @throws ValidationError */
export function writeDmarcPolicy(policy: DmarcPolicy): string {
  const reports = policy.reports.map(toMailto);
  return [
    'v=DMARC1',
    `p=${policy.policy}`,
    ...(policy.subdomains ? [`sp=${policy.subdomains}`] : []),
    ...(reports.length > 0 ? [`rua=${reports.join(',')}`] : []),
    ...(policy.hasStrictDkim ? ['adkim=s'] : []),
    ...(policy.hasStrictSpf ? ['aspf=s'] : []),
    ...policy.others,
  ].join('; ');
}

function nameOf(tag: string): string {
  return tag.split('=', 1)[0]?.trim().toLowerCase() ?? '';
}

/** RFC 7489, section 6.2: `,`, `!` and `;` would end the address; a size limit after `!` stays. */
function toMailto(text: string): string {
  if (/^https?:/i.test(text)) return text;
  const [address = '', limit] = text.split('!');
  if (!isEmailAddress(address))
    throw ValidationError.of('reports', `must be e-mail addresses, and “${text.slice(0, 60)}” is none`);
  return limit === undefined ? `mailto:${address}` : `mailto:${address}!${limit}`;
}
