import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { MAX_NAME_LENGTH } from '../dns/records/record-name';
import type { QuerySignature } from './apply-query';

const MAX_PARTS = 20;
/** RFC 8301, section 3.2, and what one verification may cost. */
const MIN_BITS = 1_024;
const MAX_BITS = 8_192;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The name of the TXT records with a public key; undefined if it is no name. */
export function keyName(key: string, domain: string): string | undefined {
  const name = `${key}.${domain}`.toLowerCase().replace(/\.$/, '');
  return name.length <= MAX_NAME_LENGTH && name.split('.').every((label) => LABEL.test(label)) ? name : undefined;
}

/** The public key that TXT records hold in parts, `p=1,a=RS256,d=…`; undefined if they hold none. */
export function readSignatureKey(texts: readonly string[]): KeyObject | undefined {
  const parts = texts.filter((text) => /(?:^|,)\s*d=/.test(text)).map(partOf);
  if (parts.length === 0 || parts.length > MAX_PARTS || parts.some((part) => part === undefined)) return undefined;
  const sorted = parts.filter((part) => part !== undefined).toSorted((one, other) => one.position - other.position);
  if (sorted.some(({ position }, index) => position !== index + 1)) return undefined;
  return toKey(sorted.map(({ data }) => data).join(''));
}

/** RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3). */
export function isSignedBy({ signed, octets }: QuerySignature, key: KeyObject): boolean {
  return verify('sha256', Buffer.from(signed, 'utf8'), key, octets);
}

interface KeyPart {
  readonly position: number;
  readonly data: string;
}

/** Undefined for another algorithm or another kind of key. */
function partOf(text: string): KeyPart | undefined {
  const fields = new Map(
    text.split(',').map((field) => {
      const [name = '', ...rest] = field.trim().split('=');
      return [name, rest.join('=')] as const;
    }),
  );
  const { a = 'RS256', t = 'x509', p = '1', d = '' } = Object.fromEntries(fields) as Readonly<Record<string, string>>;
  if (a !== 'RS256' || t !== 'x509' || !/^[1-9]\d?$/.test(p)) return undefined;
  return { position: Number(p), data: d.replaceAll(/\s/g, '') };
}

function toKey(base64: string): KeyObject | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= MIN_BITS && bits <= MAX_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}
