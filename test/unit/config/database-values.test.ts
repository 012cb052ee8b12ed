import { loadConfig } from '../../../src/config';
import type { DatabaseConfig } from '../../../src/config/database-values';
import { issuesOf } from '../../support/configuration-issues';

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
  ])('is, for %j, %j', (query, tls) => {
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
