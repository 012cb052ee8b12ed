import { readClassless } from './classless-label';
import { cidrOf, networkOctets } from './network-octets';
import { IPV4_REVERSE, IPV6_REVERSE, isIpv6ReverseName, isReverseName } from './reverse-tree';

const OCTET = /^(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])$/;
const NIBBLE = /^[0-9a-f]$/;
const OCTETS = 4;
const NIBBLES = 32;
/** RFC 2317, section 4, leaves the name to the network's owner. */
const NAMED_PART = /^[a-z_](?:[a-z0-9_-]*[a-z0-9_])?$/;

/** What is wrong with the name of a reverse zone, as the end of a sentence that begins with the field. */
export function reverseNameProblem(name: string): string | undefined {
  const labels = name.split('.').slice(0, -2);
  if (isIpv6ReverseName(name)) {
    const wrong = labels.find((label) => !NIBBLE.test(label));
    if (wrong !== undefined)
      return `must have single hexadecimal digits before ${IPV6_REVERSE}, and "${wrong}" is none`;
    return labels.length > NIBBLES ? `must have at most ${NIBBLES} digits before ${IPV6_REVERSE}` : undefined;
  }
  const [first = '', ...others] = labels;
  const isPart = others.length === OCTETS - 1 && (readClassless(first) !== undefined || NAMED_PART.test(first));
  const wrong = (isPart ? others : labels).find((label) => !OCTET.test(label));
  if (wrong !== undefined)
    return `must have octets from 0 to 255 before ${IPV4_REVERSE}, or a part of a /24 network as in 0/26.2.0.192.${IPV4_REVERSE} (RFC 2317), and "${wrong}" is neither`;
  return labels.length > OCTETS ? `must have at most ${OCTETS} octets before ${IPV4_REVERSE}` : undefined;
}

/** The network whose addresses a reverse zone holds, in CIDR notation; undefined if its name tells none. */
export function networkOfReverseZone(name: string): string | undefined {
  if (!isReverseName(name) || reverseNameProblem(name) !== undefined) return undefined;
  const labels = name.split('.').slice(0, -2).toReversed();
  if (labels.length === 0) return undefined;
  if (isIpv6ReverseName(name)) {
    const octets = Buffer.from(labels.join('').padEnd(NIBBLES, '0'), 'hex');
    return cidrOf(networkOctets(octets, 4 * labels.length));
  }
  const last = labels[OCTETS - 1];
  const part = last === undefined || OCTET.test(last) ? undefined : readClassless(last);
  if (last !== undefined && !OCTET.test(last) && part === undefined) return undefined;
  const octets = Buffer.alloc(OCTETS);
  for (const [index, label] of labels.entries()) octets[index] = Number(label);
  if (part) octets[OCTETS - 1] = part.first;
  return cidrOf(networkOctets(octets, part?.length ?? 8 * labels.length));
}
