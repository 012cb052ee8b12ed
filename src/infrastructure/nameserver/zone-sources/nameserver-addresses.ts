import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { ZoneSourceFailed } from '../../../domain/dns/errors';
import { parseEndpoint, type Endpoint } from '../../../domain/dns/secondary';

const DNS_PORT = 53;
/** Special-purpose networks (RFC 6890 and its registries), which a request from outside must not reach through us. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** Finds the addresses of nameservers, and refuses those that are not public unless the operator allows their networks. */
export class NameserverAddresses {
  private readonly forbidden = new BlockList();
  private readonly allowed = new BlockList();

  constructor(networks: readonly Network[]) {
    for (const [network, prefix] of NOT_PUBLIC) this.forbidden.addSubnet(network, prefix, 'ipv4');
    for (const { address, prefix } of networks)
      this.allowed.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** The address is resolved once, so that a second answer of the resolver cannot lead elsewhere. @throws ZoneSourceFailed */
  async resolve(nameserver: string): Promise<Endpoint> {
    const endpoint = parseEndpoint(nameserver, DNS_PORT) ?? { address: await addressOf(nameserver), port: DNS_PORT };
    const isAllowed = this.includes(this.allowed, endpoint.address);
    if (!isAllowed && (endpoint.port !== DNS_PORT || !this.isPublic(endpoint.address)))
      throw new ZoneSourceFailed(`${nameserver} is not a public address on port ${DNS_PORT}`);
    return endpoint;
  }

  private isPublic(address: string): boolean {
    // Global unicast without the ranges that embed IPv4 addresses or are documentation.
    if (isIPv6(address)) return /^[23]/.test(address) && !/^(2002|2001:0?db8|2001:0{0,4}:|64:ff9b)/i.test(address);
    return !this.includes(this.forbidden, address);
  }

  private includes(list: BlockList, address: string): boolean {
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

async function addressOf(host: string): Promise<string> {
  try {
    const { address } = await lookup(host);
    if (isIP(address) !== 0) return address;
  } catch (error) {
    throw new ZoneSourceFailed(`${host} has no address`, { cause: error });
  }
  throw new ZoneSourceFailed(`${host} has no address`);
}
