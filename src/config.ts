import type { WritableType } from './domain/dns/records/types/record-types';
import { parseCompatibilityApis, type CompatibilityApi } from './config/compatibility-values';
import { parseDatabaseUrl, type DatabaseConfig } from './config/database-values';
import {
  parseMetricsListen,
  parseRecordTypes,
  parseResolvers,
  parseWebhookNetworks,
  withoutAlias,
  type DnsConfig,
  type Network,
} from './config/dns-values';
import { readDnsConfig } from './config/read-dns-config';
import { ENVIRONMENTS, type Environment } from './config/environment';
import {
  parseHostNames,
  parsePublicUrl,
  parseRatio,
  parseTracesEndpoint,
  parseTrustProxy,
  type TrustProxy,
} from './config/network-values';
import { SECOND_FACTOR_RULES, type SecondFactorRule } from './domain/access/factors/second-factor-rule';
import {
  parseMailAddresses,
  parseMailFrom,
  parseMailUrl,
  type MailSender,
  type MailServer,
} from './config/mail-values';
import { parseLimitsStore } from './config/limits-store-values';
import { ZONE_VERIFICATIONS } from './domain/dns/zone-names/zone-ownership';
import { integer, matching, oneOf, optional, type ReadVariable } from './config/plain-values';
import { parseCurrency, parseNameservers, parsePublicSuffixes, parseTlds } from './config/registration-values';
import { parseSecretKey, secretKeySource, type SecretKeySource } from './config/secret-key-values';
import type { Endpoint } from './domain/dns/secondaries/secondary';
import { InvalidValue } from './config/invalid-value';
import type { Issue } from './domain/shared/issue';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const REGISTRY_NAMES = ['simulated'] as const;
type RegistryName = (typeof REGISTRY_NAMES)[number];

/** Longer than responses are kept for an Idempotency-Key, whose repetitions need the operation. */
const RETENTION_DAYS = integer(2, 36_500);

/** Undefined: no mail is sent. */
interface MailConfig {
  readonly server: MailServer | undefined;
  readonly from: MailSender | undefined;
  /** Who hears of what concerns the whole service. */
  readonly operatorAddresses: readonly string[];
}

/** In days. */
interface RetentionConfig {
  readonly auditDays: number;
  readonly operationDays: number;
  readonly personalDataDays: number;
  readonly endedDomainDays: number;
  readonly messageDays: number;
  readonly mailDays: number;
  readonly deliveryDays: number;
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
  /** How long `/readyz` reports 503 after SIGTERM before the process accepts no more connections. */
  readonly drainSeconds: number;
  /** 0 switches it off. */
  readonly rateLimitPerMinute: number;
  /** 0 switches it off. */
  readonly failedAuthPerMinute: number;
  /** Per e-mail in a quarter of an hour; 0 switches it off. */
  readonly signInAttempts: number;
  /** Orders of the dashboard of at least this amount, in whole units of the currency, need re-authentication; 0: none. */
  readonly confirmOrdersFrom: number;
  /** The URL of a Redis or Valkey that counts limits over all replicas; it may have a password. */
  readonly limitsStore: string | undefined;
  /** Who must have a second factor. */
  readonly requireSecondFactor: SecondFactorRule;
  /** Where people and programs reach the service, without a slash at the end; undefined: as the request says. */
  readonly publicUrl: string | undefined;
  /** Further host names by which MCP clients reach the service. */
  readonly mcpHosts: readonly string[];
  readonly mail: MailConfig;
  readonly trustProxy: TrustProxy;
  readonly secretKey: SecretKeySource;
  readonly registry: RegistryName;
  /** If set, it names the registries, and `registry` is ignored. */
  readonly registriesFile?: string;
  /** Lists the OpenID Connect providers. */
  readonly oidcProvidersFile?: string;
  readonly currency: string;
  readonly operationWaitMs: number;
  readonly operationLeaseMs: number;
  /** Whether the web process runs operations itself. */
  readonly worker: boolean;
  /** The record types that may be written. */
  readonly recordTypes: readonly WritableType[];
  /** Public suffixes and single labels that zones without a registration may have as their names. */
  readonly zoneVerification: (typeof ZONE_VERIFICATIONS)[number];
  readonly zonePublicSuffixes: readonly string[];
  readonly maxRecordsPerSet: number;
  readonly maxRecordsPerZone: number;
  /** How many days before expiry a domain is renewed first, and from one attempt to the next. */
  readonly renewalLeadDays: number;
  readonly renewalRetryDays: number;
  readonly zoneHistoryDays: number;
  readonly zoneHistoryVersions: number;
  /** How much each account may store each day. */
  readonly zoneHistoryMibPerDay: number;
  readonly storedResponseMibPerDay: number;
  readonly retention: RetentionConfig;
  /** Where metrics and probes are served; undefined: nowhere. */
  readonly metricsListen: Endpoint | undefined;
  /** Where traces are exported, and which share of them; undefined: nowhere. */
  readonly tracing: { readonly endpoint: string | undefined; readonly ratio: number };
  readonly dns: DnsConfig;
  /** Networks to which webhooks may be sent besides public addresses. */
  readonly webhookNetworks: readonly Network[];
  /** APIs of other products that this service speaks besides its own. */
  readonly compatibilityApis: readonly CompatibilityApi[];
  /** Whether service providers can ask people to connect their domains (Domain Connect); needs `publicUrl`. */
  readonly domainConnect: boolean;
  /** Whether address updates may come without TLS. */
  readonly dynDnsPlainHttp: boolean;
  /** How long a request with `wait=published` waits for the secondaries. */
  readonly publishWaitMs: number;
}

/** All that is wrong with the configuration; each path begins with the name of a variable. */
export class ConfigurationError extends Error {
  constructor(
    readonly issues: readonly Issue[],
    options?: ErrorOptions,
  ) {
    super(
      ['The configuration is invalid:', ...issues.map(({ path, message }) => `  ${path} ${message}`)].join('\n'),
      options,
    );
    this.name = 'ConfigurationError';
  }
}

interface EnvironmentReading {
  /** With the default in place of every invalid value. */
  readonly config: Config;
  readonly issues: readonly Issue[];
}

/** Reads the environment; touches no file and opens nothing. @throws ConfigurationError */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const { config, issues } = readEnvironment(env);
  if (issues.length > 0) throw new ConfigurationError(issues);
  return config;
}

/** Reads the environment; touches no file and opens nothing. */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentReading {
  const issues: Issue[] = [];
  const read: ReadVariable = (variable, fallback, parse) => {
    const text = env[variable];
    try {
      return parse(text === undefined || text === '' ? fallback : text);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      issues.push({ path: variable, message: error.message });
      return parse(fallback);
    }
  };

  const database = read('DATABASE_URL', 'sqlite:data/namewright.db', parseDatabaseUrl);
  const environment = read('NODE_ENV', 'development', oneOf(ENVIRONMENTS));
  const secretKeyText = read('SECRET_KEY', '', parseSecretKey);
  const secretKeyFile = read('SECRET_KEY_FILE', '', (text) => text);
  if (env['SECRET_KEY'] && secretKeyFile !== '')
    issues.push({ path: 'SECRET_KEY', message: 'and SECRET_KEY_FILE are both set: choose one' });
  if (!env['SECRET_KEY'] && secretKeyFile === '' && database.kind === 'mysql' && environment === 'production') {
    issues.push({
      path: 'SECRET_KEY',
      message: 'or SECRET_KEY_FILE is required with MySQL in production, because replicas share it',
    });
  }

  const recordTypes = read('RECORD_TYPES', 'interface', parseRecordTypes);
  const resolvers = read('ALIAS_RESOLVER', '', parseResolvers);
  if (resolvers.length === 0 && recordTypes.includes('ALIAS') && env['RECORD_TYPES'] !== 'all')
    issues.push({ path: 'ALIAS_RESOLVER', message: 'is required for ALIAS records, which RECORD_TYPES switches on' });
  const oidcProvidersFile = read('OIDC_PROVIDERS_FILE', '', (text) => text);
  const registriesFile = read('REGISTRIES_FILE', '', (text) => text);
  const config: Config = {
    port: read('PORT', '3000', integer(0, 65_535)),
    host: read('HOST', '127.0.0.1', matching(/^[A-Za-z0-9.:_%-]+$/, 'must be the address or host name to listen on')),
    database,
    environment,
    logLevel: read('LOG_LEVEL', 'info', oneOf(LOG_LEVELS)),
    apiKeyPrefix: read(
      'API_KEY_PREFIX',
      'nw',
      matching(/^[a-z0-9]{1,16}$/, 'must be 1 to 16 lower-case letters and digits'),
    ),
    defaultNameservers: read('DEFAULT_NAMESERVERS', 'ns1.namewright.example,ns2.namewright.example', parseNameservers),
    defaultSearchTlds: read('DEFAULT_SEARCH_TLDS', 'com,net,org,io,dev,app,co,info,xyz,me', parseTlds),
    searchTimeoutMs: read('SEARCH_TIMEOUT_MS', '3000', integer(100, 60_000)),
    drainSeconds: read('DRAIN_SECONDS', '0', integer(0, 300)),
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', '600', integer(0, 10_000_000)),
    failedAuthPerMinute: read('FAILED_AUTH_PER_MINUTE', '60', integer(0, 10_000_000)),
    requireSecondFactor: read('REQUIRE_SECOND_FACTOR', 'none', oneOf(SECOND_FACTOR_RULES)),
    confirmOrdersFrom: read('CONFIRM_ORDERS_FROM', '0', integer(0, 1_000_000_000)),
    signInAttempts: read('SIGN_IN_ATTEMPTS', '10', integer(0, 1_000_000)),
    limitsStore: read('LIMITS_STORE', '', optional(parseLimitsStore)),
    publicUrl: read('PUBLIC_URL', '', parsePublicUrl),
    mcpHosts: Object.freeze(read('MCP_HOSTS', '', optional(parseHostNames)) ?? []),
    mail: Object.freeze({
      server: read('MAIL_URL', '', optional(parseMailUrl)),
      from: read('MAIL_FROM', '', optional(parseMailFrom)),
      operatorAddresses: Object.freeze(read('MAIL_OPERATOR', '', optional(parseMailAddresses)) ?? []),
    }),
    trustProxy: read('TRUST_PROXY', 'false', parseTrustProxy),
    secretKey: secretKeySource(secretKeyText, secretKeyFile, database),
    registry: read('REGISTRY', 'simulated', oneOf(REGISTRY_NAMES)),
    ...(registriesFile !== '' && { registriesFile }),
    ...(oidcProvidersFile !== '' && { oidcProvidersFile }),
    currency: read('CURRENCY', 'USD', parseCurrency),
    operationWaitMs: read('OPERATION_WAIT_MS', '10000', integer(0, 60_000)),
    operationLeaseMs: read('OPERATION_LEASE_MS', '15000', integer(1_000, 600_000)),
    worker: read('WORKER', 'on', oneOf(['on', 'off'])) === 'on',
    recordTypes: resolvers.length > 0 ? recordTypes : withoutAlias(recordTypes),
    zoneVerification: read('ZONE_VERIFICATION', 'untrusted', oneOf(ZONE_VERIFICATIONS)),
    zonePublicSuffixes: read('ZONE_PUBLIC_SUFFIXES', '', parsePublicSuffixes),
    maxRecordsPerSet: read('MAX_RECORDS_PER_SET', '100', integer(1, 10_000)),
    maxRecordsPerZone: read('MAX_RECORDS_PER_ZONE', '10000', integer(1, 1_000_000)),
    renewalLeadDays: read('RENEWAL_LEAD_DAYS', '30', integer(1, 360)),
    renewalRetryDays: read('RENEWAL_RETRY_DAYS', '1', integer(1, 30)),
    zoneHistoryDays: read('ZONE_HISTORY_DAYS', '90', integer(0, 36_500)),
    zoneHistoryMibPerDay: read('ZONE_HISTORY_MIB_PER_DAY', '1024', integer(0, 1_000_000)),
    storedResponseMibPerDay: read('STORED_RESPONSES_MIB_PER_DAY', '1024', integer(0, 1_000_000)),
    zoneHistoryVersions: read('ZONE_HISTORY_VERSIONS', '100', integer(1, 1_000_000)),
    retention: Object.freeze({
      auditDays: read('AUDIT_RETENTION_DAYS', '1095', RETENTION_DAYS),
      operationDays: read('OPERATION_RETENTION_DAYS', '365', RETENTION_DAYS),
      personalDataDays: read('PERSONAL_DATA_RETENTION_DAYS', '90', RETENTION_DAYS),
      endedDomainDays: read('ENDED_DOMAIN_RETENTION_DAYS', '365', RETENTION_DAYS),
      deliveryDays: read('WEBHOOK_RETENTION_DAYS', '30', integer(1, 36_500)),
      messageDays: read('MESSAGE_RETENTION_DAYS', '365', RETENTION_DAYS),
      mailDays: read('MAIL_RETENTION_DAYS', '90', RETENTION_DAYS),
    }),
    tracing: Object.freeze({
      endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', '', parseTracesEndpoint),
      ratio: read('OTEL_TRACES_SAMPLER_ARG', '1', parseRatio),
    }),
    metricsListen: read('METRICS_LISTEN', '', parseMetricsListen),
    dns: readDnsConfig(read, environment, resolvers),
    webhookNetworks: Object.freeze(read('WEBHOOK_NETWORKS', '', parseWebhookNetworks(environment))),
    compatibilityApis: Object.freeze(read('COMPATIBILITY_APIS', '', parseCompatibilityApis)),
    domainConnect: read('DOMAIN_CONNECT', 'off', oneOf(['on', 'off'])) === 'on',
    dynDnsPlainHttp: read('DYNDNS_PLAIN_HTTP', 'off', oneOf(['on', 'off'])) === 'on',
    publishWaitMs: read('PUBLISH_WAIT_MS', '10000', integer(0, 60_000)),
  };
  if (environment === 'production' && config.registriesFile === undefined && !env['REGISTRY']) {
    issues.push({
      path: 'REGISTRIES_FILE',
      message:
        'is required in production: without it the simulated registry serves, whose names exist nowhere else. To use it all the same, set REGISTRY=simulated',
    });
  }
  for (const [variable, value] of [
    ['MAIL_FROM', config.mail.from],
    ['PUBLIC_URL', config.publicUrl],
  ] as const)
    if (config.mail.server && value === undefined)
      issues.push({ path: variable, message: 'is required with MAIL_URL' });
  if (config.domainConnect && config.publicUrl === undefined)
    issues.push({ path: 'PUBLIC_URL', message: 'is required with DOMAIN_CONNECT=on' });
  if (config.retention.endedDomainDays < config.retention.personalDataDays)
    issues.push({
      path: 'ENDED_DOMAIN_RETENTION_DAYS',
      message: 'must not be less than PERSONAL_DATA_RETENTION_DAYS',
    });
  if (!config.worker && config.database.kind === 'sqlite')
    issues.push({ path: 'WORKER', message: 'must be on with SQLite, where one process does it all' });
  return { config: Object.freeze(config), issues };
}
