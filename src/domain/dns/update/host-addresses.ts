import { isIPv4, isIPv6 } from 'node:net';
import { ipv4Address, ipv6Address } from '../records/types/basic/addresses';

/** The addresses that a host is to have. A family without addresses stays as it is. */
export interface AddressUpdate {
  /** In canonical form. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  /** Replaces the network part of the host's IPv6 addresses. */
  readonly prefix?: Ipv6Prefix | undefined;
}

/** A network such as 2001:db8:0:100::/56. */
export interface Ipv6Prefix {
  readonly network: bigint;
  readonly length: number;
}

export interface AddressRecord {
  readonly type: 'A' | 'AAAA';
  readonly content: string;
  /** In seconds. */
  readonly ttl: number;
}

/** The TTL of a new address in seconds: it may change again soon. */
const NEW_TTL = 60;
const ADDRESS_BITS = 128;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The address records of a host after an update of the `current` ones. A set keeps its TTL. */
export function updateAddresses(
  current: readonly AddressRecord[],
  { ipv4, ipv6, prefix }: AddressUpdate,
): readonly AddressRecord[] {
  const ofType = (type: AddressRecord['type']) => current.filter((record) => record.type === type);
  const replaced = (type: AddressRecord['type'], contents: readonly string[]) => {
    const before = ofType(type);
    const ttl = before[0]?.ttl ?? NEW_TTL;
    return contents.length === 0 ? before : [...new Set(contents)].map((content) => ({ type, content, ttl }));
  };
  const renumbered = prefix && ipv6.length === 0 ? ofType('AAAA').map(({ content }) => moveTo(prefix, content)) : ipv6;
  return [...replaced('A', ipv4), ...replaced('AAAA', renumbered)];
}

export interface Address {
  readonly family: 'ipv4' | 'ipv6';
  /** In canonical form. */
  readonly address: string;
}

/** An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) is an IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  const plain = MAPPED_IPV4.exec(text)?.[1] ?? text;
  const context = { zoneName: '', ownerName: '', priority: null };
  const ipv4 = isIPv4(plain) ? ipv4Address.canonicalize(plain, context) : undefined;
  if (ipv4 !== undefined) return { family: 'ipv4', address: ipv4 };
  const ipv6 = isIPv6(plain) ? ipv6Address.canonicalize(plain, context) : undefined;
  return ipv6 === undefined ? undefined : { family: 'ipv6', address: ipv6 };
}

/** A network in CIDR notation. Bits beyond the length are ignored. */
export function parsePrefix(text: string): Ipv6Prefix | undefined {
  const [address = '', bits = '', ...rest] = text.split('/');
  const parsed = parseAddress(address);
  const length = /^\d{1,3}$/.test(bits) ? Number(bits) : 0;
  if (rest.length > 0 || parsed?.family !== 'ipv6' || length < 1 || length > ADDRESS_BITS) return undefined;
  return { network: bitsOf(parsed.address) & ~hostMask(length), length };
}

function moveTo({ network, length }: Ipv6Prefix, address: string): string {
  const moved = network | (bitsOf(address) & hostMask(length));
  const groups =
    moved
      .toString(16)
      .padStart(ADDRESS_BITS / 4, '0')
      .match(/.{4}/g) ?? [];
  return parseAddress(groups.join(':'))?.address ?? address;
}

function hostMask(length: number): bigint {
  return (1n << BigInt(ADDRESS_BITS - length)) - 1n;
}

/** @param address in canonical form, without a dotted suffix */
function bitsOf(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function groupsOf(text = ''): readonly string[] {
  return text === '' ? [] : text.split(':');
}
