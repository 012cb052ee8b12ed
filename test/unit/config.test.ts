import { readFileSync } from 'node:fs';
import { loadConfig } from '../../src/config';
import { issuesOf } from '../support/configuration-issues';

const KEY = Buffer.alloc(32, 7).toString('base64');

const EXAMPLE = Object.fromEntries(
  [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);

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
      mcpHosts: [],
      mail: { server: undefined, from: undefined, operatorAddresses: [] },
      trustProxy: false,
      secretKey: { kind: 'file', file: 'data/secret.key', createWhenMissing: true },
      registry: 'simulated',
      currency: 'USD',
      operationWaitMs: 10_000,
      operationLeaseMs: 15_000,
      worker: true,
      webhookNetworks: [
        { address: '127.0.0.0', prefix: 8 },
        { address: '::1', prefix: 128 },
      ],
      recordTypes: ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'],
      zoneVerification: 'untrusted',
      zonePublicSuffixes: [],
      maxRecordsPerSet: 100,
      maxRecordsPerZone: 10_000,
      renewalLeadDays: 30,
      renewalRetryDays: 1,
      retention: {
        auditDays: 1095,
        operationDays: 365,
        personalDataDays: 90,
        endedDomainDays: 365,
        messageDays: 365,
        mailDays: 90,
        deliveryDays: 30,
      },
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
        health: { resolvers: 'system', networks: [], checksPerMinute: 600, intervalHours: 24 },
      },
      compatibilityApis: [],
      domainConnect: false,
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
      MCP_HOSTS: 'names.example.com:3000',
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
      MAIL_RETENTION_DAYS: '0',
      MAIL_URL: 'mail.example.com',
      MAIL_FROM: 'names',
      MAIL_OPERATOR: 'a@example.com b@example.com',
      WEBHOOK_RETENTION_DAYS: '0',
      WEBHOOK_NETWORKS: '10.0.0.0',
      DNS_LISTEN: 'localhost:53',
      DNS_CATALOG_ZONE: 'a b',
      DNS_PRIMARY_NAME: '-',
      DNS_CONTACT: 'hostmaster',
      DNS_SOA_TIMERS: '1,2,3',
      ZONE_SOURCE_NETWORKS: '10.0.0.0',
      ZONE_VERIFICATION: 'trusted',
      ZONE_PUBLIC_SUFFIXES: 'co.uk,',
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
      DOMAIN_CONNECT: 'maybe',
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

describe('MAIL_URL', () => {
  const REST = { MAIL_FROM: 'Namewright <names@example.com>', PUBLIC_URL: 'https://names.example.com' };

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'starttls' }],
    ['smtp://mail.example.com:25?tls=off', { port: 25, tls: 'off' }],
    [
      'smtps://sender:p%40ss@mail.example.com',
      { port: 465, tls: 'implicit', credentials: { user: 'sender', password: 'p@ss' } },
    ],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'off' }],
    ['smtp://[::1]:1025', { host: '::1', tls: 'off' }],
  ])('may be %s', (url, server) => {
    expect(loadConfig({ ...REST, MAIL_URL: url }).mail).toMatchObject({
      server,
      from: { name: 'Namewright', address: 'names@example.com' },
    });
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://h/path',
    'smtp://h?x=1',
    'smtps://h?tls=off',
    'smtp://:%@h',
  ])('may not be %s', (url) => expect(issuesOf({ ...REST, MAIL_URL: url }).issues).toHaveLength(1));

  it('needs a sender, and an address for its links', () => {
    const { issues } = issuesOf({ MAIL_URL: 'smtp://mail.example.com' });
    expect(issues.map(({ path }) => path)).toEqual(['MAIL_FROM', 'PUBLIC_URL']);
  });

  it.each(['names', 'a <b>', 'Eve\r\nBcc: eve@example.com <names@example.com>', '<a@example.com>, <b@example.com>'])(
    'needs one valid address as its sender, not %j',
    (from) => expect(issuesOf({ ...REST, MAIL_FROM: from }).issues).toHaveLength(1),
  );
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

  it('is next to an SQLite database by default, in production, too', () => {
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

describe('CURRENCY', () => {
  it.each(['EUR', 'JPY', 'CHF'])('may be %s', (code) => {
    expect(loadConfig({ CURRENCY: code, REGISTRIES_FILE: 'registries.yaml' }).currency).toBe(code);
  });

  it.each(['KWD', 'usd', 'EURO'])('may not be %s: three decimals, or no code', (code) => {
    expect(issuesOf({ CURRENCY: code }).issues).toHaveLength(1);
  });
});
