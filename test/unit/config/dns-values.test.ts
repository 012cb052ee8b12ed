import { loadConfig } from '../../../src/config';
import { issuesOf } from '../../support/configuration-issues';

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

function resolversOf(env: NodeJS.ProcessEnv): readonly string[] | 'system' {
  const { resolvers } = loadConfig(env).dns.health;
  return resolvers === 'system' ? resolvers : resolvers.map(({ address }) => address);
}

describe('HEALTH_RESOLVER', () => {
  it('is ALIAS_RESOLVER unless it is set, and without both the resolvers of the machine', () => {
    expect(resolversOf({})).toBe('system');
    expect(resolversOf({ ALIAS_RESOLVER: '127.0.0.1' })).toEqual(['127.0.0.1']);
    expect(resolversOf({ ALIAS_RESOLVER: '127.0.0.1', HEALTH_RESOLVER: '127.0.0.2' })).toEqual(['127.0.0.2']);
  });

  it('can be switched off', () => {
    expect(resolversOf({ HEALTH_RESOLVER: 'off' })).toEqual([]);
    expect(resolversOf({ HEALTH_RESOLVER: 'off', ALIAS_RESOLVER: '127.0.0.1' })).toEqual([]);
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
