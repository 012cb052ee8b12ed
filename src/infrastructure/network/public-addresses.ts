import { BlockList, isIPv6 } from 'node:net';

/** Special-purpose networks (RFC 6890 and its registries), which are not on the Internet. */
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

/** The part of IPv6 that is on the Internet: RFC 4291, section 2.4. */
const GLOBAL_UNICAST = ['2000::', 3] as const;
/** Protocol assignments with Teredo, documentation (RFC 3849, RFC 9637), and 6to4, which embeds IPv4 addresses. */
const NOT_PUBLIC_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** Tells public addresses from those of special-purpose networks, except those that the operator allows. */
export class PublicAddresses {
  private readonly globalUnicast = new BlockList();
  private readonly forbidden = new BlockList();
  private readonly allowed = new BlockList();

  constructor(networks: readonly Network[]) {
    for (const [network, prefix] of NOT_PUBLIC) this.forbidden.addSubnet(network, prefix, 'ipv4');
    for (const [network, prefix] of NOT_PUBLIC_IPV6) this.forbidden.addSubnet(network, prefix, 'ipv6');
    this.globalUnicast.addSubnet(...GLOBAL_UNICAST, 'ipv6');
    for (const { address, prefix } of networks)
      this.allowed.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Whether the operator allows the address, public or not. */
  isAllowed(address: string): boolean {
    return this.includes(this.allowed, address);
  }

  isPublic(address: string): boolean {
    if (isIPv6(address) && !this.includes(this.globalUnicast, address)) return false;
    return !this.includes(this.forbidden, address);
  }

  private includes(list: BlockList, address: string): boolean {
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}
