import { isIP } from 'node:net';
import { parseEndpoint, type Endpoint } from '../domain/dns/secondaries/secondary';
import { ALL_TYPES, includesType, INTERFACE_TYPES, type WritableType } from '../domain/dns/records/types/record-types';
import type { Environment } from './environment';
import { listOf } from './plain-values';
import { InvalidValue } from './invalid-value';

/** How nameservers pull the zones from us. */
export interface DnsConfig {
  readonly listen:
    { readonly kind: 'off' } | { readonly kind: 'on'; readonly endpoint: Endpoint; readonly isDefault: boolean };
  readonly catalogZone: string;
  readonly primaryName: string | undefined;
  readonly contact: string | undefined;
  /** Networks whose nameservers may be asked for zones besides public ones. */
  readonly zoneSourceNetworks: readonly Network[];
  readonly timers: {
    readonly refresh: number;
    readonly retry: number;
    readonly expire: number;
    readonly negative: number;
  };
  /** How long the response to a dynamic update may wait for the secondaries, in milliseconds. */
  readonly updateWaits: { readonly udp: number; readonly tcp: number };
  /** Responses over UDP to one address for requests without a valid signature; over TCP five times as many. */
  readonly unsignedPerSecond: number;
  readonly dnssec: {
    /** Days until the key of a signed zone is replaced; 0: never. */
    readonly keyLifetimeDays: number;
    /** How long resolvers may keep DS records that a registry no longer publishes, in seconds. */
    readonly dsTtlSeconds: number;
    /** Recursive resolvers that find the nameservers of parent zones, asked in this order. None: the setting above counts. */
    readonly resolvers: readonly Endpoint[];
  };
  readonly aliases: AliasConfig;
  readonly health: HealthConfig;
}

/** How domains are checked. */
interface HealthConfig {
  /** Recursive resolvers, asked in this order, or those of the machine. None: what needs one is not checked. */
  readonly resolvers: readonly Endpoint[] | 'system';
  /** Networks whose nameservers may be asked besides public ones. */
  readonly networks: readonly Network[];
  /** In the background; 0 switches it off. */
  readonly checksPerMinute: number;
  readonly intervalHours: number;
}

/** How the targets of ALIAS records are looked up. */
interface AliasConfig {
  /** Recursive resolvers, asked in this order. None: ALIAS records cannot be added. */
  readonly resolvers: readonly Endpoint[];
  /** Networks whose addresses zones may have besides public ones. */
  readonly networks: readonly Network[];
  readonly queriesPerSecond: number;
}

/** A network in CIDR notation. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** Networks as in `10.0.0.0/8, fd00::/8`. */
export function parseNetworks(text: string): readonly Network[] {
  if (text.trim() === '') return [];
  return listOf(text).map((entry) => {
    const [address = '', prefix = '', ...rest] = entry.split('/');
    const bits = [0, 32, 128][[0, 4, 6].indexOf(isIP(address))] ?? 0;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || bits === 0 || Number(prefix) > bits)
      throw new InvalidValue('must be networks separated by commas, as in 10.0.0.0/8, fd00::/8');
    return { address, prefix: Number(prefix) };
  });
}

/** `none`, or networks; empty: this machine, and none in production. */
export function parseWebhookNetworks(environment: Environment): (text: string) => readonly Network[] {
  return (text) => {
    if (text === 'none') return [];
    return parseNetworks(text === '' && environment !== 'production' ? '127.0.0.0/8, ::1/128' : text);
  };
}

const DNS_PORT = 53;

/** A port of 127.0.0.1, or `address:port`; port 0 picks a free one. Empty: off. */
export function parseMetricsListen(text: string): Endpoint | undefined {
  if (text === '') return undefined;
  const endpoint = parseEndpoint(/^\d+$/.test(text) ? `127.0.0.1:${text}` : text);
  if (!endpoint) throw new InvalidValue('must be a port, or an IP address and a port such as 10.0.0.5:9464');
  return endpoint;
}

/** `off`, or resolvers; empty: `otherwise` or, without any, those of the machine. */
export function parseHealthResolvers(
  otherwise: readonly Endpoint[],
): (text: string) => DnsConfig['health']['resolvers'] {
  return (text) => {
    if (text === 'off') return [];
    if (text.trim() === '') return otherwise.length > 0 ? otherwise : 'system';
    return parseResolvers(text);
  };
}

/** Resolvers as in `127.0.0.1, [2001:db8::1]:5353`. */
export function parseResolvers(text: string): readonly Endpoint[] {
  if (text.trim() === '') return [];
  return listOf(text).map((entry) => {
    const endpoint = parseEndpoint(entry, DNS_PORT);
    if (!endpoint)
      throw new InvalidValue(
        'must be IP addresses of resolvers, optionally with a port, separated by commas: 127.0.0.1, [::1]:5353',
      );
    return endpoint;
  });
}

export function parseDnsListen(environment: Environment): (text: string) => DnsConfig['listen'] {
  return (text) => {
    if (text === 'off' || (text === '' && environment === 'production')) return { kind: 'off' };
    const endpoint = parseEndpoint(text === '' ? '127.0.0.1:5354' : text);
    if (!endpoint)
      throw new InvalidValue(
        'must be off, or the IP address and port to answer nameservers at, as in 127.0.0.1:5354 or [::]:53',
      );
    return { kind: 'on', endpoint, isDefault: text === '' };
  };
}

export function parseDnsName(text: string): string {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (
    name.length > 253 ||
    !/^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/.test(name)
  )
    throw new InvalidValue('must be a domain name');
  return name;
}

/** A mailbox as an SOA record has it, RFC 1035, section 8: dots of the local part are escaped. */
export function parseContact(text: string): string {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (!/^[a-z0-9_+-]+(\.[a-z0-9_+-]+)*$/i.test(local) || local.length > 63 || rest.length > 0)
    throw new InvalidValue('must be an e-mail address of letters, digits, dots, hyphens and +');
  return `${local.replaceAll('.', '\\.')}.${parseDnsName(domain)}`;
}

export function parseUpdateWaits(text: string): DnsConfig['updateWaits'] {
  const [udp = -1, tcp = -1, ...rest] = listOf(text).map((entry) => (/^\d{1,2}$/.test(entry) ? Number(entry) : -1));
  if (udp < 0 || tcp < 0 || rest.length > 0)
    throw new InvalidValue('must be two numbers of seconds from 0 to 99, separated by a comma: over UDP and over TCP');
  return Object.freeze({ udp: udp * 1_000, tcp: tcp * 1_000 });
}

export function parseSoaTimers(text: string): DnsConfig['timers'] {
  const [refresh = 0, retry = 0, expire = 0, negative = 0, ...rest] = listOf(text).map((entry) =>
    /^\d{1,9}$/.test(entry) ? Number(entry) : 0,
  );
  if ([refresh, retry, expire, negative].some((seconds) => seconds < 1) || rest.length > 0)
    throw new InvalidValue(
      'must be four numbers of seconds, separated by commas: refresh, retry, expire and negative answers',
    );
  return Object.freeze({ refresh, retry, expire, negative });
}

/** `interface`, `all`, or the types to switch on besides those of the interface. */
export function parseRecordTypes(text: string): readonly WritableType[] {
  if (text === 'interface') return INTERFACE_TYPES;
  if (text === 'all') return ALL_TYPES;
  const names: ReadonlySet<string> = new Set(listOf(text));
  const known: readonly string[] = ALL_TYPES;
  if (names.size === 0 || [...names].some((name) => !known.includes(name)))
    throw new InvalidValue(`must be interface, all, or some of ${ALL_TYPES.join(', ')}, separated by commas`);
  return ALL_TYPES.filter((type) => includesType(INTERFACE_TYPES, type) || names.has(type));
}

/** ALIAS records need a resolver. */
export function withoutAlias(types: readonly WritableType[]): readonly WritableType[] {
  return types.filter((type) => type !== 'ALIAS');
}
