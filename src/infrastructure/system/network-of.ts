import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address that its provider assigns: a customer has at least a /64, and may change the rest at will. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** What limits per client address count by: an IPv4 address, or the /64 of an IPv6 address. */
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
