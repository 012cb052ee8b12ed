import { isIP } from 'node:net';
import { ValidationError } from '../../shared/validation-error';
import { addressOctets, cidrOf, isIpv4Mapped, networkOctets, type NetworkOctets } from './network-octets';
import { IPV4_REVERSE, IPV6_REVERSE } from './reverse-tree';

const EXAMPLES = 'such as 192.0.2.0/24 or 2001:db8::/48';

/**
 * The name of the reverse zone of a network in CIDR notation. Zones begin at octets (IPv4) and at hexadecimal digits (IPv6); below a
 * /24, they have the names of RFC 2317, with a slash.
 * @throws ValidationError about `field` that tells what is possible
 */
export function reverseZoneOf(text: string, field = 'network'): string {
  const network = parseCidr(text);
  const name = typeof network === 'string' ? undefined : reverseName(network);
  if (name !== undefined) return name;
  throw ValidationError.of(field, typeof network === 'string' ? network : offTheBoundary(network));
}

/** A network, or what is wrong with the text. */
function parseCidr(text: string): NetworkOctets | string {
  const [address = '', lengthText, ...rest] = text.trim().split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0)
    return `must be a network in CIDR notation, ${EXAMPLES}`;
  const octets = addressOctets(address);
  if (isIpv4Mapped(octets)) return `must be an IPv4 network or one of IPv6, not of IPv4-mapped addresses, ${EXAMPLES}`;
  const max = 8 * octets.length;
  if (lengthText === undefined) return `must have a prefix length, ${EXAMPLES}; that of the address alone is /${max}`;
  const length = Number(lengthText);
  if (!/^\d{1,3}$/.test(lengthText) || length === 0 || length > max)
    return `must have a prefix length from 1 to ${max}`;
  const network = networkOctets(octets, length);
  return network.octets.equals(octets)
    ? network
    : `must have no address bits after its prefix: the network of ${address}/${length} is ${cidrOf(network)}`;
}

/** Undefined between two boundaries. */
function reverseName({ octets, length }: NetworkOctets): string | undefined {
  if (octets.length === 16) {
    const digits = octets.toString('hex').slice(0, length / 4);
    return length % 4 === 0 ? [...Array.from(digits).toReversed(), IPV6_REVERSE].join('.') : undefined;
  }
  const labels = Array.from(octets, String);
  if (length % 8 === 0) return [...labels.slice(0, length / 8).toReversed(), IPV4_REVERSE].join('.');
  return length > 24
    ? [`${labels[3]}/${length}`, ...labels.slice(0, 3).toReversed(), IPV4_REVERSE].join('.')
    : undefined;
}

function offTheBoundary({ octets, length }: NetworkOctets): string {
  const [step, possible] = octets.length === 4 ? [8, '8, 16 or 24 to 32'] : [4, 'a multiple of 4'];
  const below = length + step - (length % step);
  const above = length - (length % step);
  const first = networkOctets(octets, below);
  const last = networkOctets(withBitsSet(octets, length), below);
  const larger = above === 0 ? '' : `, or is in ${cidrOf(networkOctets(octets, above))}`;
  const count = 2 ** (below - length);
  return `must have a prefix length of ${possible}: ${cidrOf({ octets, length })} takes ${count} zones, from ${cidrOf(first)} to ${cidrOf(last)}${larger}`;
}

/** The last address of a network. */
function withBitsSet(octets: Buffer, length: number): Buffer {
  const network = networkOctets(Buffer.alloc(octets.length, 0xff), length).octets;
  return Buffer.from(octets.map((octet, index) => octet | (~(network[index] ?? 0) & 0xff)));
}
