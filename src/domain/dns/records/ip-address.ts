import { isIPv4, isIPv6 } from 'node:net';
import type { ContentForm } from './content-form';

/** RFC 1035, section 3.4.1: four decimal octets without leading zeros. */
export const ipv4Address: ContentForm = {
  canonicalize: (content) => (isIPv4(content) ? content : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 4,
};

/** RFC 3596, section 2. Stored as in RFC 5952, but without dotted IPv4 suffixes, which PowerDNS rejects. */
export const ipv6Address: ContentForm = {
  canonicalize: (content) => (isIPv6(content) && !content.includes('%') ? compressIpv6(content) : undefined),
  presentation: (canonical) => canonical,
  wireLength: () => 16,
};

/** The URL standard serializes IPv6 hosts like this: lower case, longest run of zeros compressed, never dotted. */
function compressIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
