import { isIP } from 'node:net';
import { ValidationError } from '../../shared/validation-error';

/** A secondary nameserver: it transfers the zones from us and answers public queries. */
export interface Secondary {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** The TSIG key that authenticates its requests and our NOTIFY messages. */
  readonly keyName: string;
  /** It signs zones (DNSSEC) and changes SOA serials, so a record in the zone tells which version it serves. */
  readonly signs: boolean;
  readonly createdAt: Date;
}

export interface Endpoint {
  /** IPv4 or IPv6, without brackets. */
  readonly address: string;
  readonly port: number;
}

const DNS_PORT = 53;
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const ENDPOINT = /^(?:\[([^\]]+)\]|([^[\]:@]+)|([^[\]@]+))(?:[:@](\d{1,5}))?$/;

/** @throws ValidationError */
export function parseSecondaryName(text: string): string {
  if (!NAME.test(text)) throw ValidationError.of('name', 'must be 1 to 63 lower-case letters, digits and hyphens');
  return text;
}

/** Accepts `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`, or `@` before the port. @throws ValidationError */
export function requireEndpoint(text: string, defaultPort = DNS_PORT): Endpoint {
  const endpoint = parseEndpoint(text, defaultPort);
  if (!endpoint)
    throw ValidationError.of(
      'address',
      'must be an IP address, optionally with a port: 192.0.2.1, 192.0.2.1:5353, [2001:db8::1]:5353',
    );
  return endpoint;
}

/** Returns undefined if `text` is not an endpoint. */
export function parseEndpoint(text: string, defaultPort?: number): Endpoint | undefined {
  if (isIP(text) !== 0) return defaultPort === undefined ? undefined : { address: text, port: defaultPort };
  const match = ENDPOINT.exec(text);
  const address = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  const port = match?.[4] === undefined ? defaultPort : Number(match[4]);
  return isIP(address) === 0 || port === undefined || port > 65_535 ? undefined : { address, port };
}

export function endpointText({ address, port }: Endpoint): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Whether a listener on it accepts connections on all addresses of the host. */
export function isWildcardAddress({ address }: Endpoint): boolean {
  return address === '0.0.0.0' || address === '::';
}
