import { isIP } from 'node:net';
import { listOf } from './plain-values';
import { InvalidValue } from './invalid-value';

/** Base URL of an OTLP/HTTP collector; undefined: none. */
export function parseTracesEndpoint(text: string): string | undefined {
  if (text === '') return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidValue('must be the URL of an OTLP collector, such as http://127.0.0.1:4318');
  return text.replace(/\/+$/, '');
}

/** 0 to 1. */
export function parseRatio(text: string): number {
  const ratio = /^(?:0|1|0?\.\d{1,6}|[01]\.0)$/.test(text) ? Number(text) : NaN;
  if (!(ratio >= 0 && ratio <= 1)) throw new InvalidValue('must be a number from 0 to 1');
  return ratio;
}

/** The value of Express's `trust proxy`: all or none, a number of hops, or addresses and networks. */
export type TrustProxy = boolean | number | readonly string[];

export function parsePublicUrl(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash + url.username !== '')
    throw new InvalidValue('must be an address such as https://names.example.com, without a path');
  return url.origin;
}

export function parseTrustProxy(text: string): TrustProxy {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const networks = listOf(text);
  if (!networks.every(isNetwork))
    throw new InvalidValue(
      'must be true, false, a number of hops, or addresses and networks separated by commas, as in 10.0.0.0/8,loopback',
    );
  return Object.freeze(networks);
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    length === undefined ||
    (/^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128))
  );
}

const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;

/** Names without ports, separated by commas. @throws InvalidValue */
export function parseHostNames(text: string): readonly string[] {
  const names = listOf(text.toLowerCase());
  if (!names.every((name) => HOST_NAME.test(name)))
    throw new InvalidValue('must be host names without ports, separated by commas');
  return names;
}
