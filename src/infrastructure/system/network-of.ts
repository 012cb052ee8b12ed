import { isIPv6 } from 'node:net';

/** A customer has at least a /64 and can use any address in it. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** The unit of limits per client: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(plain) ?? [];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing =
    tail === undefined
      ? 0
      : Math.max(0, GROUPS - groups.length - tail.split(':').filter((group) => group !== '').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return `${all
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
