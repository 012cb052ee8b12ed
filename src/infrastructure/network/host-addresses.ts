import { Resolver } from 'node:dns/promises';

const QUERY = { timeout: 2_000, tries: 2 };
/** RFC 6761, section 6.3: no DNS server is asked for `localhost`. */
const LOOPBACK = { ipv4: ['127.0.0.1'], ipv6: [] };

export interface HostAddresses {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/**
 * The addresses of a host name by the resolvers of the machine; none if it has none. Not `lookup`: it waits in a thread of libuv, and all
 * connections of the process to host names wait behind a few names whose nameservers do not respond.
 */
export async function addressesOfHost(host: string): Promise<HostAddresses> {
  if (host === 'localhost') return LOOPBACK;
  const resolver = new Resolver(QUERY);
  const [ipv4, ipv6] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ]);
  return { ipv4, ipv6 };
}
