import { isEmailAddress } from '../domain/shared/email-address';
import { InvalidValue } from './invalid-value';
import { listOf } from './plain-values';

/** How the SMTP server is reached. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** From the first octet, by STARTTLS or, to this machine or if the operator says so, not at all. */
  readonly tls: 'implicit' | 'starttls' | 'off';
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

/** The sender, as headers have it. */
export interface MailSender {
  readonly name: string | undefined;
  readonly address: string;
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The URL may have a password, so the message does not repeat it. @throws InvalidValue */
export function parseMailUrl(text: string): MailServer {
  const url = /^smtps?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const tls = url?.searchParams.get('tls') ?? undefined;
  const isPlain = url && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.hash === '';
  if (!isPlain || [...url.searchParams.keys()].some((name) => name !== 'tls') || (tls !== undefined && tls !== 'off'))
    throw new InvalidValue(
      'must be smtp://user:password@host:587, smtps://user:password@host:465 or smtp://host:25?tls=off',
    );
  const isImplicit = url.protocol === 'smtps:';
  if (isImplicit && tls === 'off') throw new InvalidValue('must not have tls=off with smtps');
  const isUnprotected = tls === 'off' || LOOPBACK.test(url.hostname);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[isImplicit ? 'smtps:' : 'smtp:'] : Number(url.port),
    tls: isImplicit ? 'implicit' : isUnprotected ? 'off' : 'starttls',
    credentials: credentialsOf(url),
  };
}

/** `Namewright <names@example.com>` or the address alone. @throws InvalidValue */
export function parseMailFrom(text: string): MailSender {
  const [, name, address = text] = /^\s*([^<>"\p{Cc}]{1,100}?)\s*<([^<>]+)>\s*$/u.exec(text) ?? [];
  if (!isEmailAddress(address)) throw new InvalidValue('must be an address such as Namewright <names@example.com>');
  return { name, address };
}

/** @throws InvalidValue */
export function parseMailAddresses(text: string): readonly string[] {
  const addresses = listOf(text);
  if (addresses.length > 10 || !addresses.every(isEmailAddress))
    throw new InvalidValue('must be at most 10 e-mail addresses separated by commas');
  return addresses;
}

function credentialsOf({ username, password }: URL): MailServer['credentials'] {
  if (username === '' && password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new InvalidValue('must have user name and password percent-encoded');
  }
}
