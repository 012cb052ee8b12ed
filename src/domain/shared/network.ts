import { BlockList, isIP, SocketAddress } from 'node:net';
import { ValidationError } from './validation-error';

/** Validates a network in CIDR notation; an address alone is a network of one. @throws ValidationError */
export function parseNetwork(text: string): string {
  const [address = '', prefix, ...rest] = text.trim().toLowerCase().split('/');
  const bits = bitsOf(address);
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  if (bits === 0 || rest.length > 0 || length > bits || address.includes('%'))
    throw ValidationError.of('limits.networks', 'must be networks such as 192.0.2.0/24 or 2001:db8::/32');
  return `${address}/${length}`;
}

/** Results by networks and address: a key is used often from few addresses, and a BlockList takes as long as a look-up in a database. */
const checked = new Map<string, boolean>();
const MAX_CHECKED = 10_000;

/** Whether one of the networks contains an address. An IPv4-mapped address (RFC 4291, section 2.5.5.2) is its IPv4 address. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  if (isIP(address) === 0) return false;
  const question = `${address} ${networks.join(' ')}`;
  const known = checked.get(question);
  if (known !== undefined) return known;
  const result = contains(networks, address);
  if (checked.size >= MAX_CHECKED) checked.clear();
  checked.set(question, result);
  return result;
}

function contains(networks: readonly string[], address: string): boolean {
  const plain = unmapped(address.replace(/%.*$/, ''));
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    // For a BlockList, ::/0 contains IPv4 addresses as well.
    const isOfFamily = familyOf(start) === familyOf(plain) || familyOf(unmapped(start)) === familyOf(plain);
    if (isOfFamily) list.addSubnet(start, Number(length), familyOf(start));
  }
  return list.check(plain, familyOf(plain));
}

/** In the form of RFC 5952, and an IPv4-mapped address as its IPv4 address. */
function unmapped(address: string): string {
  return new SocketAddress({ address, family: familyOf(address) }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

/** Whether `outer` contains all of `inner`. */
export function containsNetwork(outer: string, inner: string): boolean {
  const [address = '', length] = inner.split('/');
  const [outerAddress = '', outerLength] = outer.split('/');
  return (
    bitsOf(address) === bitsOf(outerAddress) && Number(outerLength) <= Number(length) && isInNetworks([outer], address)
  );
}

function bitsOf(address: string): number {
  return { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
