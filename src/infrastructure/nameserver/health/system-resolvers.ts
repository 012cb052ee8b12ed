import { getServers } from 'node:dns';
import { parseEndpoint, type Endpoint } from '../../../domain/dns/secondaries/secondary';

const DNS_PORT = 53;

/** The resolvers of this machine (on Linux, those of its resolver configuration), without those of one network interface only. */
export function systemResolvers(): readonly Endpoint[] {
  return getServers().flatMap((text) => parseEndpoint(text, DNS_PORT) ?? []);
}
