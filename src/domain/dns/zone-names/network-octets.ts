import { isIPv4 } from 'node:net';
import { compressIpv6, ipv4Octets, ipv4Text, ipv6Octets, ipv6Text } from '../records/types/basic/addresses';

const MAPPED_PREFIX = Buffer.from('00000000000000000000ffff', 'hex');

/** A network of addresses. */
export interface NetworkOctets {
  /** Of its first address: 4 or 16. */
  readonly octets: Buffer;
  readonly length: number;
}

/** @param address valid */
export function addressOctets(address: string): Buffer {
  return isIPv4(address) ? ipv4Octets(address) : ipv6Octets(compressIpv6(address));
}

/** Of the network of an address. */
export function networkOctets(octets: Buffer, length: number): NetworkOctets {
  return { octets: Buffer.from(octets.map((octet, index) => octet & maskOf(length - 8 * index))), length };
}

/** In CIDR notation. */
export function cidrOf({ octets, length }: NetworkOctets): string {
  return `${octets.length === 4 ? ipv4Text(octets) : ipv6Text(octets)}/${length}`;
}

/** RFC 4291, section 2.5.5.2. */
export function isIpv4Mapped(octets: Buffer): boolean {
  return octets.length === 16 && octets.subarray(0, 12).equals(MAPPED_PREFIX);
}

/** @param bits how many bits of the prefix begin with this octet */
function maskOf(bits: number): number {
  return bits >= 8 ? 0xff : bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}
