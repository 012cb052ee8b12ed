import { typedName } from '../../../domain/dns/records/record-name';
import { parseAddress, parsePrefix, type AddressUpdate } from '../../../domain/dns/update/host-addresses';

export const MAX_HOSTS = 20;

/** The query of an update request. */
export type DynDnsRequest =
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
const LOOPBACK = /^(?:127\.|::1$)/;

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
  const networks = [...listOf(query, 'ip6lanprefix'), ...given].flatMap((text) => parsePrefix(text) ?? []);
  const addresses = given.flatMap((text) => parseAddress(text) ?? []);
  // A router without a prefix must not give its own address to the hosts behind it.
  const hasOwn = addresses.length > 0 || networks.length > 0 || 'ip6lanprefix' in query;
  if (!hasOwn) {
    const own = LOOPBACK.test(clientAddress) ? undefined : parseAddress(clientAddress);
    if (!own) return undefined;
    addresses.push(own);
  }
  const ofFamily = (wanted: string) => addresses.flatMap(({ family, address }) => (family === wanted ? [address] : []));
  return { ipv4: ofFamily('ipv4'), ipv6: ofFamily('ipv6'), prefix: networks[0] };
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
