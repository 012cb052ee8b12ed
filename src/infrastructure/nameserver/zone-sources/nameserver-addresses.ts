import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ZoneSourceFailed } from '../../../domain/dns/errors';
import { parseEndpoint, type Endpoint } from '../../../domain/dns/secondary';
import { PublicAddresses, type Network } from './public-addresses';

const DNS_PORT = 53;

/** Finds the addresses of nameservers, and refuses those that are not public unless the operator allows their networks. */
export class NameserverAddresses {
  private readonly addresses: PublicAddresses;

  constructor(networks: readonly Network[]) {
    this.addresses = new PublicAddresses(networks);
  }

  /** The address is resolved once, so that a second answer of the resolver cannot lead elsewhere. @throws ZoneSourceFailed */
  async resolve(nameserver: string): Promise<Endpoint> {
    const endpoint = parseEndpoint(nameserver, DNS_PORT) ?? { address: await addressOf(nameserver), port: DNS_PORT };
    const { address, port } = endpoint;
    const isPublic = port === DNS_PORT && this.addresses.isPublic(address);
    if (!isPublic && !this.addresses.isAllowed(address))
      throw new ZoneSourceFailed(`${nameserver} is not a public address on port ${DNS_PORT}`);
    return endpoint;
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
