import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { parseEndpoint, type Endpoint } from './domain/dns/secondary';
import { InvalidNameservers } from './domain/registration/errors';
import { Nameservers } from './domain/registration/nameservers';
import { toAsciiName } from './domain/shared/idna';

export type DatabaseConfig = { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'mysql'; readonly url: string };

/** Where the key comes from that encrypts what must be read back in clear; `loadSecretKey` fetches it. */
export type SecretKeySource =
  | { readonly kind: 'given'; readonly base64: string }
  | { readonly kind: 'file'; readonly file: string; readonly createWhenMissing: boolean };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const ENVIRONMENTS = ['development', 'production', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

const REGISTRY_NAMES = ['simulated'] as const;
export type RegistryName = (typeof REGISTRY_NAMES)[number];

/** What express takes as `trust proxy`: everybody or nobody, a number of hops, or addresses and networks. */
export type TrustProxy = boolean | number | readonly string[];

/** How nameservers pull the zones from us. */
export interface DnsConfig {
  readonly listen: { readonly kind: 'off' } | { readonly kind: 'on'; readonly endpoint: Endpoint; readonly isDefault: boolean };
  readonly catalogZone: string;
  readonly primaryName: string | undefined;
  readonly contact: string | undefined;
  readonly timers: { readonly refresh: number; readonly retry: number; readonly expire: number; readonly negative: number };
}

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseConfig;
  readonly environment: Environment;
  readonly logLevel: LogLevel;
  readonly apiKeyPrefix: string;
  readonly defaultNameservers: readonly string[];
  readonly defaultSearchTlds: readonly string[];
  readonly searchTimeoutMs: number;
  /** 0 switches it off. */
  readonly rateLimitPerMinute: number;
  /** 0 switches it off. */
  readonly failedAuthPerMinute: number;
  /** Per e-mail in a quarter of an hour; 0 switches it off. */
  readonly signInAttempts: number;
  /** Where people and programs reach the service, without a slash at the end; undefined: as the request says. */
  readonly publicUrl: string | undefined;
  readonly trustProxy: TrustProxy;
  readonly secretKey: SecretKeySource;
  readonly registry: RegistryName;
  /** Where it is set, it names the registries, and `registry` counts no more. */
  readonly registriesFile?: string;
  readonly currency: string;
  readonly operationWaitMs: number;
  readonly operationLeaseMs: number;
  /** Whether the web process runs operations itself. */
  readonly worker: boolean;
  readonly maxRecordsPerSet: number;
  readonly maxRecordsPerZone: number;
  /** How many days before expiry a domain is renewed first, and from one attempt to the next. */
  readonly renewalLeadDays: number;
  readonly renewalRetryDays: number;
  readonly zoneHistoryDays: number;
  readonly zoneHistoryVersions: number;
  readonly dns: DnsConfig;
  /** How long a request waits for the secondaries, where it asks to. */
  readonly publishWaitMs: number;
}

export interface ConfigurationFault {
  readonly variable: string;
  /** What it should be, as the end of a sentence that begins with its name. Never its value, which may be a secret. */
  readonly problem: string;
}

/** Everything that is wrong with the configuration, at once. */
export class ConfigurationError extends Error {
  constructor(
    readonly faults: readonly ConfigurationFault[],
    options?: ErrorOptions,
  ) {
    super(['The configuration is faulty:', ...faults.map(({ variable, problem }) => `  ${variable} ${problem}`)].join('\n'), options);
    this.name = 'ConfigurationError';
  }
}

/** Reads the environment; touches no file and opens nothing. @throws ConfigurationError */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const faults: ConfigurationFault[] = [];
  const read = <T>(variable: string, fallback: string, parse: (text: string) => T): T => {
    const text = env[variable];
    try {
      return parse(text === undefined || text === '' ? fallback : text);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      faults.push({ variable, problem: error.message });
      return parse(fallback);
    }
  };

  const database = read('DATABASE_URL', 'sqlite:data/namewright.db', parseDatabaseUrl);
  const environment = read('NODE_ENV', 'development', oneOf(ENVIRONMENTS));
  const secretKeyText = read('SECRET_KEY', '', parseSecretKey);
  const secretKeyFile = read('SECRET_KEY_FILE', '', (text) => text);
  if (env['SECRET_KEY'] && secretKeyFile !== '') faults.push({ variable: 'SECRET_KEY', problem: 'and SECRET_KEY_FILE are both set: choose one' });
  if (!env['SECRET_KEY'] && secretKeyFile === '' && database.kind === 'mysql' && environment === 'production') {
    faults.push({ variable: 'SECRET_KEY', problem: 'or SECRET_KEY_FILE is required with MySQL in production, because replicas share it' });
  }

  const registriesFile = read('REGISTRIES_FILE', '', (text) => text);
  const config: Config = {
    port: read('PORT', '3000', integer(0, 65_535)),
    host: read('HOST', '127.0.0.1', parseHost),
    database,
    environment,
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    apiKeyPrefix: read('API_KEY_PREFIX', 'nw', parsePrefix),
    defaultNameservers: read('DEFAULT_NAMESERVERS', 'ns1.namewright.example,ns2.namewright.example', parseNameservers),
    defaultSearchTlds: read('DEFAULT_SEARCH_TLDS', 'com,net,org,io,dev,app,co,info,xyz,me', parseTlds),
    searchTimeoutMs: read('SEARCH_TIMEOUT_MS', '3000', integer(100, 60_000)),
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', '600', integer(0, 10_000_000)),
    failedAuthPerMinute: read('FAILED_AUTH_PER_MINUTE', '60', integer(0, 10_000_000)),
    signInAttempts: read('SIGN_IN_ATTEMPTS', '10', integer(0, 1_000_000)),
    publicUrl: read('PUBLIC_URL', '', parsePublicUrl),
    trustProxy: read('TRUST_PROXY', 'false', parseTrustProxy),
    secretKey: secretKeySource(secretKeyText, secretKeyFile, database),
    registry: read('REGISTRY', 'simulated', oneOf(REGISTRY_NAMES)),
    ...(registriesFile !== '' && { registriesFile }),
    currency: read('CURRENCY', 'USD', parseCurrency),
    operationWaitMs: read('OPERATION_WAIT_MS', '10000', integer(0, 60_000)),
    operationLeaseMs: read('OPERATION_LEASE_MS', '15000', integer(1_000, 600_000)),
    worker: read('WORKER', 'on', oneOf(['on', 'off'])) === 'on',
    maxRecordsPerSet: read('MAX_RECORDS_PER_SET', '100', integer(1, 10_000)),
    maxRecordsPerZone: read('MAX_RECORDS_PER_ZONE', '10000', integer(1, 1_000_000)),
    renewalLeadDays: read('RENEWAL_LEAD_DAYS', '30', integer(1, 360)),
    renewalRetryDays: read('RENEWAL_RETRY_DAYS', '1', integer(1, 30)),
    zoneHistoryDays: read('ZONE_HISTORY_DAYS', '90', integer(0, 36_500)),
    zoneHistoryVersions: read('ZONE_HISTORY_VERSIONS', '100', integer(1, 1_000_000)),
    dns: Object.freeze({
      listen: read('DNS_LISTEN', '', parseDnsListen(environment)),
      catalogZone: read('DNS_CATALOG_ZONE', 'catalog.namewright.invalid', parseDnsName),
      primaryName: read('DNS_PRIMARY_NAME', '', optional(parseDnsName)),
      contact: read('DNS_CONTACT', '', optional(parseContact)),
      timers: read('DNS_SOA_TIMERS', '3600,600,1209600,300', parseSoaTimers),
    }),
    publishWaitMs: read('PUBLISH_WAIT_MS', '10000', integer(0, 60_000)),
  };
  if (!config.worker && config.database.kind === 'sqlite') faults.push({ variable: 'WORKER', problem: 'must be on with SQLite, where one process does it all' });
  if (faults.length > 0) throw new ConfigurationError(faults);
  return Object.freeze(config);
}

/** The 32 bytes that a text holds in base64 or base64url, or undefined. */
export function decodeSecretKey(base64: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

/** A value that will not do; the message says what would. */
class Unfit extends Error {}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Unfit(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) throw new Unfit(`must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`);
    return value;
  };
}

function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:_%-]+$/.test(text)) throw new Unfit('must be the address or host name to listen on');
  return text;
}

function parsePublicUrl(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash + url.username !== '') throw new Unfit('must be an address such as https://names.example.com, without a path');
  return url.origin;
}

function parsePrefix(text: string): string {
  if (!/^[a-z0-9]{1,16}$/.test(text)) throw new Unfit('must be 1 to 16 lower-case letters and digits');
  return text;
}

function parseDatabaseUrl(text: string): DatabaseConfig {
  if (text.startsWith('sqlite:')) return { kind: 'sqlite', file: parseSqliteFile(text.slice('sqlite:'.length)) };
  const url = text.startsWith('mysql://') && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '' || url.username === '' || !/^\/[^/]+$/.test(url.pathname)) {
    throw new Unfit('must be sqlite:<file> or mysql://user:password@host:3306/name');
  }
  return { kind: 'mysql', url: text };
}

/** `//host/…` is taken for what it looks like, a mistake; `///file` is an absolute path. */
function parseSqliteFile(path: string): string {
  const file = path.replace(/^\/\/(?=\/)/, '');
  if (file === '' || file.startsWith(':') || file.startsWith('//') || /[?#\0]/.test(file)) throw new Unfit('must name a file, as in sqlite:data/namewright.db');
  return file;
}

function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === '' ? undefined : parse(text));
}

function parseDnsListen(environment: Environment): (text: string) => DnsConfig['listen'] {
  return (text) => {
    if (text === 'off' || (text === '' && environment === 'production')) return { kind: 'off' };
    const endpoint = parseEndpoint(text === '' ? '127.0.0.1:5354' : text);
    if (!endpoint) throw new Unfit('must be off, or the IP address and port to answer nameservers at, as in 127.0.0.1:5354 or [::]:53');
    return { kind: 'on', endpoint, isDefault: text === '' };
  };
}

function parseDnsName(text: string): string {
  const name = text.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || !/^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/.test(name)) throw new Unfit('must be a domain name');
  return name;
}

/** A mailbox as an SOA record has it, RFC 1035, section 8: dots of the local part are escaped. */
function parseContact(text: string): string {
  const [local = '', domain = '', ...rest] = text.split('@');
  if (!/^[a-z0-9_+-]+(\.[a-z0-9_+-]+)*$/i.test(local) || local.length > 63 || rest.length > 0) throw new Unfit('must be an e-mail address of letters, digits, dots, hyphens and +');
  return `${local.replaceAll('.', '\\.')}.${parseDnsName(domain)}`;
}

function parseSoaTimers(text: string): DnsConfig['timers'] {
  const [refresh = 0, retry = 0, expire = 0, negative = 0, ...rest] = listOf(text).map((entry) => (/^\d{1,9}$/.test(entry) ? Number(entry) : 0));
  if ([refresh, retry, expire, negative].some((seconds) => seconds < 1) || rest.length > 0) throw new Unfit('must be four numbers of seconds, separated by commas: refresh, retry, expire and negative answers');
  return Object.freeze({ refresh, retry, expire, negative });
}

function listOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}

function parseNameservers(text: string): readonly string[] {
  try {
    return Object.freeze([...Nameservers.of(listOf(text)).hosts]);
  } catch (error) {
    if (error instanceof InvalidNameservers) throw new Unfit(`must be 2 to 13 different host names, separated by commas: ${error.details}`);
    throw error;
  }
}

function parseTlds(text: string): readonly string[] {
  const tlds = new Set(listOf(text).map(parseTld));
  if (tlds.size > 50) throw new Unfit('must be 50 TLDs at most');
  return Object.freeze([...tlds]);
}

function parseTld(text: string): string {
  const tld = text.length <= 253 ? toAsciiName(text) : undefined;
  if (tld === undefined || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(tld)) {
    throw new Unfit('must be TLDs without a leading dot, separated by commas, as in com,net,co.uk');
  }
  return tld;
}

function parseTrustProxy(text: string): TrustProxy {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const networks = listOf(text);
  if (!networks.every(isNetwork)) throw new Unfit('must be true, false, a number of hops, or addresses and networks separated by commas, as in 10.0.0.0/8,loopback');
  return Object.freeze(networks);
}

function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128));
}

function parseCurrency(text: string): string {
  if (!Intl.supportedValuesOf('currency').includes(text)) throw new Unfit('must be an ISO 4217 code such as USD');
  const decimals = new Intl.NumberFormat('en', { style: 'currency', currency: text }).resolvedOptions().maximumFractionDigits ?? 2;
  if (decimals > 2) throw new Unfit('must be a currency with at most two decimals');
  return text;
}

function parseSecretKey(text: string): string {
  if (text !== '' && !decodeSecretKey(text)) throw new Unfit('must be 32 bytes in base64, as `openssl rand -base64 32` prints them');
  return text;
}

/** A file that was named must be there: a new key in place of a mistyped one would make what is stored unreadable. */
function secretKeySource(base64: string, file: string, database: DatabaseConfig): SecretKeySource {
  if (base64 !== '') return { kind: 'given', base64 };
  if (file !== '') return { kind: 'file', file, createWhenMissing: false };
  return { kind: 'file', file: join(database.kind === 'sqlite' ? dirname(database.file) : 'data', 'secret.key'), createWhenMissing: true };
}
