import { hash } from 'node:crypto';
import { typedName } from '../../../domain/dns/records/record-name';
import type { Issue } from '../../../domain/shared/issue';
import { ValidationError } from '../../../domain/shared/validation-error';

/** The TXT record of a challenge. */
interface ChallengeRecord {
  /** Full owner name: lower-case ASCII without trailing dot. */
  readonly name: string;
  readonly value: string;
}

const CHALLENGE_LABEL = '_acme-challenge';
/** The SHA-256 digest of a key authorization in base64url (RFC 8555, section 8.4). */
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
/** RFC 8555, section 8.1: a token, a dot and the thumbprint of the account key. */
const KEY_AUTHORIZATION = /^[A-Za-z0-9_-]{1,512}\.[A-Za-z0-9_-]{43}$/;
const VALUE = 'must be 43 characters of base64url';

/** The body of lego's httpreq: `{fqdn, value}`, or `{domain, token, keyAuth}` in RAW mode. @throws ValidationError */
export function parseHttpReq(body: unknown): ChallengeRecord {
  const { fqdn, value, domain, keyAuth } = membersOf(body);
  if (fqdn === undefined && domain !== undefined) {
    const name = challengeName(domain);
    if (typeof keyAuth !== 'string' || !KEY_AUTHORIZATION.test(keyAuth))
      throw ValidationError.of('keyAuth', 'must be a key authorization');
    if (name === undefined) throw ValidationError.of('domain', 'must be a domain name');
    return { name, value: hash('sha256', keyAuth, 'base64url') };
  }
  const name = fullName(fqdn);
  if (name === undefined) throw ValidationError.of('fqdn', 'must be a full domain name');
  if (!isDigest(value)) throw ValidationError.of('value', VALUE);
  return { name, value };
}

/**
 * The body of an update in the acme-dns API: `{subdomain, txt}`. Our subdomains are names of certificates. The case of the member
 * names does not count, as in acme-dns: its Go client, in lego and cert-manager, sends `SubDomain` and `Txt`. @throws ValidationError
 */
export function parseAcmeDnsUpdate(body: unknown): ChallengeRecord {
  const members = Object.entries(membersOf(body)).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { subdomain, txt }: Readonly<Record<string, unknown>> = Object.fromEntries(members);
  const name = challengeName(subdomain);
  const issues: Issue[] = [];
  if (name === undefined) issues.push({ path: 'subdomain', message: 'must be the name that the certificate is for' });
  if (!isDigest(txt)) issues.push({ path: 'txt', message: VALUE });
  if (name === undefined || !isDigest(txt)) throw new ValidationError(issues);
  return { name, value: txt };
}

/**
 * The name of the challenge for a name; a wildcard has the challenge of its parent (RFC 8555, section 8.4). Some give the name of
 * the challenge itself.
 */
function challengeName(domain: unknown): string | undefined {
  const name = fullName(domain)?.replace(/^(?:\*\.|_acme-challenge\.)/, '');
  return name === undefined ? undefined : `${CHALLENGE_LABEL}.${name}`;
}

function fullName(text: unknown): string | undefined {
  const name = typeof text === 'string' ? typedName(text)?.name : undefined;
  return name?.includes('.') ? name : undefined;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
