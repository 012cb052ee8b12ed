import { isIP } from 'node:net';
import { ValidationError } from '../shared/validation-error';

/** A nameserver that pulls the zones from us and serves them to the world. */
export interface Secondary {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** The TSIG key that it shows itself with, and that we sign our notifications with. */
  readonly keyName: string;
  /** It signs the zones (DNSSEC) under serials of its own, so that what it serves is told by a record in the zone. */
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
export function secondaryName(text: string): string {
  if (!NAME.test(text)) throw ValidationError.of('name', 'must be 1 to 63 lower-case letters, digits and hyphens');
  return text;
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`, or with `@` before the port. @throws ValidationError */
export function endpointOf(text: string, defaultPort = DNS_PORT): Endpoint {
  const endpoint = parseEndpoint(text, defaultPort);
  if (!endpoint)
    throw ValidationError.of(
      'address',
      'must be an IP address, optionally with a port: 192.0.2.1, 192.0.2.1:5353, [2001:db8::1]:5353',
    );
  return endpoint;
}

/** Undefined where the text is none. */
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

/** Whether it stands for all addresses of a machine. */
export function isAnywhere({ address }: Endpoint): boolean {
  return address === '0.0.0.0' || address === '::';
}
