import { readFileSync } from 'node:fs';
import { ConfigurationError, loadConfig } from '../../src/config';
import type { DatabaseConfig } from '../../src/config/database-values';
import { productionWarnings } from '../../src/config/production-warnings';

const KEY = Buffer.alloc(32, 7).toString('base64');
const EXAMPLE = Object.fromEntries(
  [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);

function issuesOf(env: NodeJS.ProcessEnv): ConfigurationError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('the configuration', () => {
  it('is complete without any variable', () => {
    expect(loadConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      database: { kind: 'sqlite', file: 'data/namewright.db' },
      environment: 'development',
      logLevel: 'info',
      apiKeyPrefix: 'nw',
      defaultNameservers: ['ns1.namewright.example', 'ns2.namewright.example'],
      defaultSearchTlds: ['com', 'net', 'org', 'io', 'dev', 'app', 'co', 'info', 'xyz', 'me'],
      searchTimeoutMs: 3_000,
      drainSeconds: 0,
      rateLimitPerMinute: 600,
      failedAuthPerMinute: 60,
      requireSecondFactor: 'none',
      confirmOrdersFrom: 0,
      limitsStore: undefined,
      signInAttempts: 10,
      publicUrl: undefined,
      trustProxy: false,
      secretKey: { kind: 'file', file: 'data/secret.key', createWhenMissing: true },
      registry: 'simulated',
      currency: 'USD',
      operationWaitMs: 10_000,
      operationLeaseMs: 15_000,
      worker: true,
      recordTypes: ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'],
      maxRecordsPerSet: 100,
      maxRecordsPerZone: 10_000,
      renewalLeadDays: 30,
      renewalRetryDays: 1,
      retention: { auditDays: 1095, operationDays: 365, personalDataDays: 90, endedDomainDays: 365, messageDays: 365 },
      metricsListen: undefined,
      tracing: { endpoint: undefined, ratio: 1 },
      zoneHistoryDays: 90,
      zoneHistoryVersions: 100,
      zoneHistoryMibPerDay: 1_024,
      storedResponseMibPerDay: 1_024,
      dns: {
        listen: { kind: 'on', endpoint: { address: '127.0.0.1', port: 5354 }, isDefault: true },
        catalogZone: 'catalog.namewright.invalid',
        primaryName: undefined,
        contact: undefined,
        zoneSourceNetworks: [],
        updateWaits: { udp: 2_000, tcp: 8_000 },
        unsignedPerSecond: 20,
        dnssec: { keyLifetimeDays: 0, dsTtlSeconds: 90_000, resolvers: [] },
        timers: { refresh: 3600, retry: 600, expire: 1_209_600, negative: 300 },
        aliases: { resolvers: [], networks: [], queriesPerSecond: 200 },
        health: { resolvers: [], networks: [], checksPerMinute: 600, intervalHours: 24 },
      },
      compatibilityApis: [],
      dynDnsPlainHttp: false,
      publishWaitMs: 10_000,
    });
  });

  it('cannot be changed once read', () => {
    const config = loadConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.defaultNameservers)).toBe(true);
  });

  it('treats an empty value as unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '', SECRET_KEY: '', SECRET_KEY_FILE: '', TRUST_PROXY: '' })).toEqual(
      loadConfig({}),
    );
  });

  it('reports all its issues at once, each with its variable', () => {
    const error = issuesOf({
      PORT: '65536',
      HOST: 'a b',
      DATABASE_URL: 'postgres://x',
      NODE_ENV: 'prod',
      LOG_LEVEL: 'loud',
      API_KEY_PREFIX: 'N_W',
      DEFAULT_NAMESERVERS: 'ns1.example.com',
      DEFAULT_SEARCH_TLDS: 'com,,net',
      SEARCH_TIMEOUT_MS: '0',
      DRAIN_SECONDS: '-1',
      RATE_LIMIT_PER_MINUTE: '-1',
      FAILED_AUTH_PER_MINUTE: '1.5',
      SIGN_IN_ATTEMPTS: 'few',
      PUBLIC_URL: 'https://names.example.com/path',
      TRUST_PROXY: '10.0.0.0/33',
      SECRET_KEY: 'short',
      REGISTRY: 'acme',
      CURRENCY: 'XYZ',
      OPERATION_WAIT_MS: 'soon',
      OPERATION_LEASE_MS: '10',
      WORKER: 'maybe',
      RECORD_TYPES: 'A,RRSIG',
      MAX_RECORDS_PER_SET: '0',
      MAX_RECORDS_PER_ZONE: '1e3',
      RENEWAL_LEAD_DAYS: '0',
      RENEWAL_RETRY_DAYS: '31',
      ZONE_HISTORY_DAYS: '40000',
      ZONE_HISTORY_VERSIONS: '0',
      ZONE_HISTORY_MIB_PER_DAY: '-1',
      STORED_RESPONSES_MIB_PER_DAY: 'much',
      AUDIT_RETENTION_DAYS: '1',
      OPERATION_RETENTION_DAYS: '0',
      PERSONAL_DATA_RETENTION_DAYS: 'long',
      ENDED_DOMAIN_RETENTION_DAYS: '-1',
      MESSAGE_RETENTION_DAYS: '36501',
      DNS_LISTEN: 'localhost:53',
      DNS_CATALOG_ZONE: 'a b',
      DNS_PRIMARY_NAME: '-',
      DNS_CONTACT: 'hostmaster',
      DNS_SOA_TIMERS: '1,2,3',
      ZONE_SOURCE_NETWORKS: '10.0.0.0',
      DNS_UPDATE_WAITS: '2',
      DNS_UNSIGNED_PER_SECOND: '0',
      ALIAS_RESOLVER: 'localhost',
      ALIAS_NETWORKS: '10.0.0.0',
      ALIAS_QUERIES_PER_SECOND: '0',
      HEALTH_RESOLVER: 'localhost',
      HEALTH_NETWORKS: '10.0.0.0',
      HEALTH_CHECKS_PER_MINUTE: '-1',
      HEALTH_INTERVAL_HOURS: '0',
      DNSSEC_KEY_LIFETIME_DAYS: '-1',
      DNSSEC_DS_TTL_SECONDS: 'a day',
      DNSSEC_RESOLVER: 'localhost',
      COMPATIBILITY_APIS: 'powerdns,bind',
      DYNDNS_PLAIN_HTTP: 'maybe',
      PUBLISH_WAIT_MS: 'soon',
      REQUIRE_SECOND_FACTOR: 'sometimes',
      CONFIRM_ORDERS_FROM: 'many',
      LIMITS_STORE: 'memcached://127.0.0.1',
      METRICS_LISTEN: 'localhost:9464',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
      OTEL_TRACES_SAMPLER_ARG: '2',
    });
    expect(error.issues.map(({ path }) => path).toSorted()).toEqual(
      Object.keys(EXAMPLE)
        .filter((name) => !name.endsWith('_FILE'))
        .toSorted(),
    );
    for (const { path } of error.issues) expect(error.message).toContain(`\n  ${path} `);
  });

  it('shows no secret in its issues', () => {
    const { message, issues } = issuesOf({
      DATABASE_URL: 'mysql://user:hunter2@/',
      LIMITS_STORE: 'redis://:hunter4@127.0.0.1/queue',
      SECRET_KEY: 'hunter3',
    });

    expect(issues.map(({ path }) => path).toSorted()).toEqual(['DATABASE_URL', 'LIMITS_STORE', 'SECRET_KEY']);
    expect(JSON.stringify([message, issues])).not.toContain('hunter');
  });

  it('reads exactly the variables that .env.example names', () => {
    const read = new Set<string>();
    loadConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
    expect([...read].toSorted()).toEqual(Object.keys(EXAMPLE).toSorted());
  });

  it('has its defaults in .env.example', () => {
    expect(loadConfig(EXAMPLE)).toEqual(loadConfig({}));
  });
});

describe('LIMITS_STORE', () => {
  it.each([
    'redis://127.0.0.1',
    'redis://10.0.0.9:6380/2',
    'rediss://limits:p%40ss@store.example.net',
    'redis://[::1]:6379',
  ])('may be %s', (url) => expect(loadConfig({ LIMITS_STORE: url })).toMatchObject({ limitsStore: url }));

  it.each([
    'redis:',
    'redis:///0',
    'http://127.0.0.1',
    'redis://127.0.0.1/0/1',
    'redis://127.0.0.1?db=1',
    'redis://:%@127.0.0.1',
  ])('may not be %s', (url) => expect(issuesOf({ LIMITS_STORE: url }).issues).toHaveLength(1));
});

describe('RECORD_TYPES', () => {
  const OF_INTERFACE = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'];

  it('switches on every type with all', () => {
    const { recordTypes } = loadConfig({ RECORD_TYPES: 'all' });

    expect(recordTypes).toEqual(expect.arrayContaining([...OF_INTERFACE, 'HTTPS', 'OPENPGPKEY', 'DHCID', 'TYPE###']));
  });

  it('switches on the types of a list besides those of the interface', () => {
    expect(loadConfig({ RECORD_TYPES: 'SSHFP, TLSA,A' }).recordTypes).toEqual([...OF_INTERFACE, 'TLSA', 'SSHFP']);
  });

  it.each(['tlsa', 'TLSA,SOA', 'TYPE52', 'all,TLSA'])('may not be %j', (text) => {
    expect(issuesOf({ RECORD_TYPES: text }).issues.map(({ path }) => path)).toEqual(['RECORD_TYPES']);
  });
});

describe('ALIAS_RESOLVER', () => {
  it('names resolvers by address, at port 53 unless they name another one', () => {
    expect(loadConfig({ ALIAS_RESOLVER: '127.0.0.1, [2001:db8::53]:5353' }).dns.aliases.resolvers).toEqual([
      { address: '127.0.0.1', port: 53 },
      { address: '2001:db8::53', port: 5353 },
    ]);
  });

  it('switches ALIAS on among all record types, and must be set if RECORD_TYPES names ALIAS', () => {
    expect(loadConfig({ RECORD_TYPES: 'all' }).recordTypes).not.toContain('ALIAS');
    expect(loadConfig({ RECORD_TYPES: 'all', ALIAS_RESOLVER: '127.0.0.1' }).recordTypes).toContain('ALIAS');
    expect(issuesOf({ RECORD_TYPES: 'TLSA,ALIAS' }).issues.map(({ path }) => path)).toEqual(['ALIAS_RESOLVER']);
  });
});

function resolversOf(env: NodeJS.ProcessEnv): readonly string[] {
  return loadConfig(env).dns.health.resolvers.map(({ address }) => address);
}

describe('HEALTH_RESOLVER', () => {
  it('is ALIAS_RESOLVER unless it is set', () => {
    expect(resolversOf({})).toEqual([]);
    expect(resolversOf({ ALIAS_RESOLVER: '127.0.0.1' })).toEqual(['127.0.0.1']);
    expect(resolversOf({ ALIAS_RESOLVER: '127.0.0.1', HEALTH_RESOLVER: '127.0.0.2' })).toEqual(['127.0.0.2']);
  });
});

describe('DATABASE_URL', () => {
  it.each([
    ['sqlite:/var/lib/nw.db', '/var/lib/nw.db'],
    ['sqlite:///var/lib/nw.db', '/var/lib/nw.db'],
    ['sqlite:nw.db', 'nw.db'],
  ])('%s names the file %s', (url, file) => {
    expect(loadConfig({ DATABASE_URL: url }).database).toEqual({ kind: 'sqlite', file });
  });

  it('may be a MySQL server, port and password included', () => {
    const url = 'mysql://user:p%40ss@db.internal:3307/namewright';
    expect(loadConfig({ DATABASE_URL: url }).database).toEqual({ kind: 'mysql', url });
  });

  it.each([
    'sqlite:',
    'sqlite::memory:',
    'sqlite://data/nw.db',
    'mysql://host/name',
    'mysql://user@host',
    'mysql://user@host/a/b',
    'mysql:',
    'data/nw.db',
  ])('is refused as %s', (url) => {
    expect(issuesOf({ DATABASE_URL: url }).issues).toHaveLength(1);
  });
});

describe('WORKER', () => {
  it('may be off if other processes can share the database', () => {
    expect(loadConfig({ WORKER: 'off', DATABASE_URL: 'mysql://user:password@host:3306/name' }).worker).toBe(false);
  });

  it('must be on with SQLite, because no other process can run operations', () => {
    expect(issuesOf({ WORKER: 'off' }).issues.map(({ path }) => path)).toEqual(['WORKER']);
  });
});

describe('the secret key', () => {
  const mysql = 'mysql://user:password@host:3306/name';

  it('is taken from SECRET_KEY', () => {
    expect(loadConfig({ SECRET_KEY: KEY }).secretKey).toEqual({ kind: 'given', base64: KEY });
  });

  it('is read from a file that is named, which must exist', () => {
    expect(loadConfig({ SECRET_KEY_FILE: '/run/secrets/key' }).secretKey).toEqual({
      kind: 'file',
      file: '/run/secrets/key',
      createWhenMissing: false,
    });
  });

  it('may not come from both', () => {
    expect(issuesOf({ SECRET_KEY: KEY, SECRET_KEY_FILE: 'key' }).issues).toHaveLength(1);
  });

  it('lies beside an SQLite database by default, in production too', () => {
    expect(
      loadConfig({ DATABASE_URL: 'sqlite:/srv/nw/nw.db', NODE_ENV: 'production', REGISTRY: 'simulated' }).secretKey,
    ).toEqual({ kind: 'file', file: '/srv/nw/secret.key', createWhenMissing: true });
  });

  it('is required with MySQL in production only', () => {
    expect(
      issuesOf({ DATABASE_URL: mysql, NODE_ENV: 'production', REGISTRY: 'simulated' }).issues.map(({ path }) => path),
    ).toEqual(['SECRET_KEY']);
    expect(loadConfig({ DATABASE_URL: mysql }).secretKey).toEqual({
      kind: 'file',
      file: 'data/secret.key',
      createWhenMissing: true,
    });
    expect(
      loadConfig({ DATABASE_URL: mysql, NODE_ENV: 'production', REGISTRY: 'simulated', SECRET_KEY: KEY }).secretKey
        .kind,
    ).toBe('given');
  });
});

describe('TRUST_PROXY', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8,fd00::/8,192.0.2.1', ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
  ])('%s is %j', (text, value) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });
});

function warningsOf(env: NodeJS.ProcessEnv): readonly string[] {
  return productionWarnings(loadConfig(env));
}

function databaseOf(query: string, host = 'db.names.net'): DatabaseConfig {
  return loadConfig({ DATABASE_URL: `mysql://user:password@${host}:3306/name${query}` }).database;
}

describe('TLS of DATABASE_URL', () => {
  it.each([
    ['', undefined],
    ['?ssl-mode=DISABLED', undefined],
    ['?ssl-ca=/ca.pem', { mode: 'VERIFY_IDENTITY', ca: '/ca.pem' }],
    [
      '?ssl-mode=VERIFY_CA&ssl-ca=/ca.pem&ssl-cert=/c.pem&ssl-key=/k.pem',
      { mode: 'VERIFY_CA', ca: '/ca.pem', cert: '/c.pem', key: '/k.pem' },
    ],
    ['?ssl-mode=REQUIRED', { mode: 'REQUIRED' }],
  ])('of %j is %j', (query, tls) => {
    expect(databaseOf(query)).toEqual({
      kind: 'mysql',
      url: 'mysql://user:password@db.names.net:3306/name',
      ...(tls && { tls }),
    });
  });

  it.each([
    '?ssl-mode=PREFERRED',
    '?ssl=true',
    '?ssl-ca=',
    '?ssl-cert=/c.pem',
    '?ssl-mode=DISABLED&ssl-ca=/ca.pem',
    '?ssl-ca=/a.pem&ssl-ca=/b.pem',
  ])('may not be %s', (query) => {
    expect(() => databaseOf(query)).toThrow('DATABASE_URL');
  });

  it.each(['127.0.0.1', '[::1]'])('asks for a host name to verify, and not %s', (host) => {
    expect(() => databaseOf('?ssl-ca=/ca.pem', host)).toThrow('not an IP address');
    expect(databaseOf('?ssl-ca=/ca.pem&ssl-mode=VERIFY_CA', host)).toMatchObject({ tls: { mode: 'VERIFY_CA' } });
  });
});

describe('a production configuration', () => {
  const production = {
    NODE_ENV: 'production',
    REGISTRY: 'simulated',
    DEFAULT_NAMESERVERS: 'ns1.names.net,ns2.names.net',
    PUBLIC_URL: 'https://names.net',
    TRUST_PROXY: 'loopback',
  };
  const real = { ...production, REGISTRY: '', REGISTRIES_FILE: 'registries.yaml' };

  it.each([{}, { REGISTRY: '' }])('is refused without a registry: %j', (env) => {
    expect(issuesOf({ NODE_ENV: 'production', ...env }).issues).toEqual([
      { path: 'REGISTRIES_FILE', message: expect.stringContaining('REGISTRY=simulated') },
    ]);
  });

  it('causes no warning if it is complete', () => {
    expect(warningsOf(real)).toEqual([]);
    expect(
      warningsOf({
        ...real,
        SECRET_KEY: KEY,
        DATABASE_URL: 'mysql://user:password@db.names.net/name?ssl-mode=VERIFY_IDENTITY',
      }),
    ).toEqual([]);
    expect(warningsOf({ ...real, SECRET_KEY: KEY, DATABASE_URL: 'mysql://user:password@127.0.0.1/name' })).toEqual([]);
  });

  it.each([
    ['the simulated registry', production, /simulated registry.*REGISTRIES_FILE/],
    [
      'nameservers under .example',
      { ...real, DEFAULT_NAMESERVERS: 'ns1.names.example,ns2.names.net' },
      /ns1\.names\.example, which.*DEFAULT_NAMESERVERS/,
    ],
    ['the nameservers of the default', { ...real, DEFAULT_NAMESERVERS: '' }, /ns1\.namewright\.example, ns2/],
    [
      'nameservers under example.net',
      { ...real, DEFAULT_NAMESERVERS: 'ns1.example.net,ns2.names.net' },
      /ns1\.example\.net/,
    ],
    ['no PUBLIC_URL', { ...real, PUBLIC_URL: '' }, /PUBLIC_URL is not set/],
    [
      'MySQL on another host without TLS',
      { ...real, SECRET_KEY: KEY, DATABASE_URL: 'mysql://user:password@db.names.net/name' },
      /without TLS.*ssl-mode/,
    ],
    ['a proxy at any address', { ...real, TRUST_PROXY: 'true' }, /TRUST_PROXY is true/],
    ['https without a trusted proxy', { ...real, TRUST_PROXY: 'false' }, /TRUST_PROXY is false/],
  ])('brings one warning for %s', (_case, env, warning) => {
    expect(warningsOf(env)).toEqual([expect.stringMatching(warning)]);
  });

  it('causes no warning elsewhere', () => {
    expect(warningsOf({})).toEqual([]);
  });
});

describe('CURRENCY', () => {
  it.each(['EUR', 'JPY', 'CHF'])('may be %s', (code) => {
    expect(loadConfig({ CURRENCY: code, REGISTRIES_FILE: 'registries.yaml' }).currency).toBe(code);
  });

  it.each(['KWD', 'usd', 'EURO'])('may not be %s: three decimals, or no code', (code) => {
    expect(issuesOf({ CURRENCY: code }).issues).toHaveLength(1);
  });
});

describe('DNS_LISTEN', () => {
  it('is off in production unless it is asked for', () => {
    expect(loadConfig({ NODE_ENV: 'production', REGISTRY: 'simulated' }).dns.listen).toEqual({ kind: 'off' });
    expect(loadConfig({ NODE_ENV: 'production', REGISTRY: 'simulated', DNS_LISTEN: '[::]:53' }).dns.listen).toEqual({
      kind: 'on',
      endpoint: { address: '::', port: 53 },
      isDefault: false,
    });
  });

  it('may be off anywhere', () => {
    expect(loadConfig({ DNS_LISTEN: 'off' }).dns.listen).toEqual({ kind: 'off' });
  });

  it('tells a configured address from the default, even if they are equal', () => {
    expect(loadConfig({ DNS_LISTEN: '127.0.0.1:5354' }).dns.listen).toMatchObject({ isDefault: false });
  });

  it.each(['on', '127.0.0.1', '127.0.0.1:x', '127.0.0.1:70000', 'localhost:53', '[127.0.0.1:53'])(
    'is refused as %s',
    (text) => {
      expect(issuesOf({ DNS_LISTEN: text }).issues).toHaveLength(1);
    },
  );
});

describe('DNS_CONTACT', () => {
  it('is kept as the name that an SOA record has', () => {
    expect(loadConfig({ DNS_CONTACT: 'host.master@Example.com' }).dns.contact).toBe('host\\.master.example.com');
  });

  it.each([
    ['9464', { address: '127.0.0.1', port: 9_464 }],
    ['10.0.0.5:9464', { address: '10.0.0.5', port: 9_464 }],
    ['[::1]:0', { address: '::1', port: 0 }],
  ])('serves metrics at %s', (text, endpoint) => {
    expect(loadConfig({ METRICS_LISTEN: text }).metricsListen).toEqual(endpoint);
  });
});
