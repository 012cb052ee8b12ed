import { isIPv4, isIPv6 } from 'node:net';
import type { ContentForm } from './content-form';

/** RFC 1035, section 3.4.1: four decimal octets without leading zeros. */
export const ipv4Address: ContentForm = {
  canonicalize: (content) => (isIPv4(content) ? content : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 4,
};

/** RFC 3596, section 2; kept in the form of RFC 5952, but hexadecimal only: PowerDNS refuses IPv4 tails. */
export const ipv6Address: ContentForm = {
  canonicalize: (content) => (isIPv6(content) && !content.includes('%') ? compressed(content) : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 16,
};

/** The URL standard writes an IPv6 host exactly so: lower case, the longest run of zeros compressed, never dotted. */
function compressed(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
