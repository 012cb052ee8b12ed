import { loadConfig } from '../../../src/config';
import { productionWarnings } from '../../../src/config/production-warnings';
import { issuesOf } from '../../support/configuration-issues';

const KEY = Buffer.alloc(32, 7).toString('base64');

function warningsOf(env: NodeJS.ProcessEnv): readonly string[] {
  return productionWarnings(loadConfig(env));
}

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
