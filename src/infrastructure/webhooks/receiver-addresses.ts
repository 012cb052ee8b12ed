import { isIP, type LookupFunction } from 'node:net';
import { addressesOfHost, type HostAddresses } from '../network/host-addresses';
import { PublicAddresses, type Network } from '../network/public-addresses';

/** The error does not tell a name with a private address from one without any. */
export class NoReceiverAddress extends Error {
  override readonly name = 'NoReceiverAddress';

  constructor() {
    super('the host has no public address');
  }
}

/** The addresses to which webhooks may be sent: public ones, and those of networks that the operator permits. */
export class ReceiverAddresses {
  private readonly addresses: PublicAddresses;
  /** Without TLS, only within the operator's networks. */
  readonly allowsHttp: boolean;

  constructor(
    networks: readonly Network[],
    private readonly resolve: (host: string) => Promise<HostAddresses> = addressesOfHost,
  ) {
    this.addresses = new PublicAddresses(networks);
    this.allowsHttp = networks.length > 0;
  }

  /** Those of a URL that may be connected to. @throws NoReceiverAddress */
  async of({ hostname, protocol }: URL): Promise<readonly string[]> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const { ipv4, ipv6 } = isIP(host) ? { ipv4: [host], ipv6: [] } : await this.resolve(host);
    const allowed = [...ipv4, ...ipv6].filter((address) => this.isAllowed(address, protocol));
    if (allowed.length === 0) throw new NoReceiverAddress();
    return allowed;
  }

  private isAllowed(address: string, protocol: string): boolean {
    return this.addresses.isAllowed(address) || (protocol === 'https:' && this.addresses.isPublic(address));
  }
}

/** A look-up that has been made: the connection goes to these addresses, whatever the name has become meanwhile. */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all) callback(null, all);
    else callback(null, first?.address ?? '', first?.family);
  };
}
