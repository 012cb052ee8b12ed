import { networkInterfaces } from 'node:os';
import { ZoneSourceFailed } from '../../../domain/dns/dns-errors';
import { parseEndpoint, type Endpoint } from '../../../domain/dns/secondaries/secondary';
import { addressesOfHost } from '../../network/host-addresses';
import { PublicAddresses, type Network } from '../../network/public-addresses';

const DNS_PORT = 53;
const LINK_LOCAL = '169.254.';

/** Finds the addresses of nameservers, and refuses those that are not public unless the operator allows their networks. */
export class NameserverAddresses {
  private readonly addresses: PublicAddresses;

  constructor(
    networks: readonly Network[],
    private readonly interfaces: typeof networkInterfaces = networkInterfaces,
  ) {
    this.addresses = new PublicAddresses(networks);
  }

  /**
   * The address is resolved once, so that a second answer of the resolver cannot lead elsewhere. The error does not tell a name
   * with a private address from one without any. @throws ZoneSourceFailed
   */
  async resolve(nameserver: string): Promise<Endpoint> {
    const endpoint = parseEndpoint(nameserver, DNS_PORT);
    if (endpoint) {
      if (this.isAllowed(endpoint)) return endpoint;
      throw new ZoneSourceFailed(`${nameserver} is not a public address on port ${DNS_PORT}`);
    }
    const address = await this.addressOf(nameserver);
    const found = { address: address ?? '', port: DNS_PORT };
    if (address !== undefined && this.isAllowed(found)) return found;
    throw new ZoneSourceFailed(`${nameserver} has no public address`);
  }

  private isAllowed({ address, port }: Endpoint): boolean {
    return (port === DNS_PORT && this.addresses.isPublic(address)) || this.addresses.isAllowed(address);
  }

  private async addressOf(host: string): Promise<string | undefined> {
    const {
      ipv4: [ipv4],
      ipv6: [ipv6],
    } = await addressesOfHost(host);
    return this.hasIpv4() ? (ipv4 ?? ipv6) : (ipv6 ?? ipv4);
  }

  /** Whether the host has an IPv4 address that may lead to other networks. */
  private hasIpv4(): boolean {
    return Object.values(this.interfaces())
      .flatMap((addresses) => addresses ?? [])
      .some(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith(LINK_LOCAL));
  }
}
