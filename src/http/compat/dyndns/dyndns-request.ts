import { BlockList } from 'node:net';
import { typedName } from '../../../domain/dns/records/record-name';
import {
  parseAddress,
  parsePrefix,
  type Address,
  type AddressUpdate,
  type Ipv6Prefix,
} from '../../../domain/dns/update/host-addresses';

const MAX_HOSTS = 20;

/** The query of an update request. */
type DynDnsRequest =
  | {
      readonly kind: 'update';
      /** In the order of the request; undefined for text that is no full domain name. */
      readonly hosts: readonly (string | undefined)[];
      readonly update: AddressUpdate;
    }
  /** The request as a whole is wrong, or the client's address is not known. */
  | { readonly kind: 'notfqdn' | 'numhost' | 'no_address' };

type Query = Readonly<Record<string, unknown>>;

const LABEL = /^[a-z0-9_-]{1,63}$/;

/** Addresses of no host on another network: routers send them while they have none. */
const UNUSABLE = new BlockList();
for (const [network, length] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  UNUSABLE.addSubnet(network, length, 'ipv4');
for (const [network, length] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  UNUSABLE.addSubnet(network, length, 'ipv6');

/**
 * Reads an update request of the DynDNS2 protocol (Dyn's remote access API). `myip` and `myipv6` are lists of addresses of both
 * families; `ip6lanprefix` is a network that the hosts' IPv6 addresses move to. A request without an address means the client's.
 */
export function parseDynDnsRequest(query: Query, clientAddress: string): DynDnsRequest {
  const hosts = listOf(query, 'hostname');
  if (hosts.length === 0) return { kind: 'notfqdn' };
  if (hosts.length > MAX_HOSTS) return { kind: 'numhost' };
  const update = updateOf(query, clientAddress);
  return update ? { kind: 'update', hosts: hosts.map(hostName), update } : { kind: 'no_address' };
}

function updateOf(query: Query, clientAddress: string): AddressUpdate | undefined {
  const given = [...listOf(query, 'myip'), ...listOf(query, 'myipv6')];
  const networks = [...listOf(query, 'ip6lanprefix'), ...given.filter(isNetwork)].flatMap(usablePrefix);
  const addresses = given.filter((text) => !isNetwork(text)).flatMap((text) => usableAddress(withoutLength(text)));
  // A router without a prefix must not give its own address to the hosts behind it.
  const hasOwn = addresses.length > 0 || networks.length > 0 || 'ip6lanprefix' in query;
  if (!hasOwn) {
    addresses.push(...usableAddress(clientAddress));
    if (addresses.length === 0) return undefined;
  }
  const ofFamily = (wanted: string) => addresses.flatMap(({ family, address }) => (family === wanted ? [address] : []));
  return { ipv4: ofFamily('ipv4'), ipv6: ofFamily('ipv6'), prefix: networks[0] };
}

function usableAddress(text: string): readonly Address[] {
  const found = parseAddress(text);
  return found && !UNUSABLE.check(found.address, found.family) ? [found] : [];
}

/** `2001:db8::/64`. With bits beyond its length, it is an address as an interface has it: `2001:db8::5/64`. */
function isNetwork(text: string): boolean {
  const prefix = parsePrefix(text);
  const address = parsePrefix(text.replace(/\/.*/, '/128'));
  return prefix !== undefined && prefix.length < 128 && prefix.network === address?.network;
}

function withoutLength(text: string): string {
  return text.replace(/\/\d{1,3}$/, '');
}

function usablePrefix(text: string): readonly Ipv6Prefix[] {
  const found = parsePrefix(text);
  return found && usableAddress(withoutLength(text)).length > 0 ? [found] : [];
}

/** A parameter with values separated by commas, or repeated. */
function listOf(query: Query, name: string): readonly string[] {
  return [query[name]]
    .flat()
    .flatMap((value) => (typeof value === 'string' ? value.split(',') : []))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function hostName(text: string): string | undefined {
  const name = typedName(text)?.name;
  const [first = '', ...rest] = name?.split('.') ?? [];
  const isValid = (first === '*' || LABEL.test(first)) && rest.length > 0 && rest.every((label) => LABEL.test(label));
  return isValid ? name : undefined;
}
