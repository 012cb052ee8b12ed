import { isIPv4, isIPv6 } from 'node:net';
import type { ContentForm } from '../../text/content-form';
import { single } from '../rdata/presentation';
import type { TypeDefinition } from '../type-definition';

/** RFC 1035, section 3.4.1: four decimal octets without leading zeros. */
export const ipv4Address: ContentForm = {
  canonicalize: (content) => (isIPv4(content) ? content : undefined),
  presentation: (canonical) => canonical,
};

/** RFC 3596, section 2. Stored as in RFC 5952, but without dotted IPv4 suffixes, which PowerDNS rejects. */
export const ipv6Address: ContentForm = {
  canonicalize: (content) => (isIPv6(content) && !content.includes('%') ? compressIpv6(content) : undefined),
  presentation: (canonical) => canonical,
};

export const A: TypeDefinition = {
  name: 'A',
  number: 1,
  content: ipv4Address,
  expectation: 'an IPv4 address such as 192.0.2.1, without leading zeros',
  numbers: {},
  allowedAtRoot: true,
  parse: (words) => ({ content: single(words, 'an address') }),
  encode: ({ content }) => ipv4Octets(content),
  decode: (reader) => ({ content: ipv4Text(reader.octets(4)) }),
};

export const AAAA: TypeDefinition = {
  name: 'AAAA',
  number: 28,
  content: ipv6Address, // RFC 3596, RFC 5952
  expectation: 'an IPv6 address such as 2001:db8::1, without zone index',
  numbers: {},
  allowedAtRoot: true,
  parse: (words) => ({ content: single(words, 'an address') }),
  encode: ({ content }) => ipv6Octets(content),
  decode: (reader) => ({ content: ipv6Text(reader.octets(16)) }),
};

/** @param address valid */
export function ipv4Octets(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

export function ipv4Text(octets: Buffer): string {
  return [...octets].join('.');
}

/** @param address valid, without a dotted suffix */
export function ipv6Octets(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const octets = Buffer.alloc(16);
  for (const [index, group] of before.entries()) octets.writeUInt16BE(group, 2 * index);
  for (const [index, group] of after.entries()) octets.writeUInt16BE(group, 16 - 2 * (after.length - index));
  return octets;
}

/** In canonical form. */
export function ipv6Text(octets: Buffer): string {
  return compressIpv6(octets.toString('hex').replace(/.{4}(?!$)/g, '$&:'));
}

/** The URL standard serializes IPv6 hosts like this: lower case, longest run of zeros compressed, never dotted. */
export function compressIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function groupsOf(text = ''): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
