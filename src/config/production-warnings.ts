import type { Config } from '../config';
import type { DatabaseConfig } from './database-values';

/** Names that no one can register (RFC 2606, RFC 6761): a delegation to them does not resolve. */
const RESERVED_NAME = /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))$/;

/** What a production service is likely to have forgotten: it runs without, but not as its operator expects. One sentence each, for the log. */
export function productionWarnings({
  environment,
  database,
  registriesFile,
  defaultNameservers,
  publicUrl,
  trustProxy,
}: Config): readonly string[] {
  if (environment !== 'production') return [];
  const reserved = defaultNameservers.filter((host) => RESERVED_NAME.test(host));
  return [
    ...(registriesFile === undefined
      ? [
          'The simulated registry serves in production: the names that it registers exist nowhere else. Set REGISTRIES_FILE to register real names.',
        ]
      : []),
    ...(reserved.length > 0
      ? [
          `New domains are delegated to ${reserved.join(', ')}, which cannot exist. Set DEFAULT_NAMESERVERS to your nameservers.`,
        ]
      : []),
    ...(publicUrl === undefined
      ? [
          'PUBLIC_URL is not set: links to the dashboard are built from what each request says. Set it to the address that people use.',
        ]
      : []),
    ...(isRemoteWithoutTls(database)
      ? ['MySQL is on another host and reached without TLS. Add ssl-mode=VERIFY_IDENTITY and ssl-ca to DATABASE_URL.']
      : []),
    ...(trustProxy === true
      ? [
          "TRUST_PROXY is true: a client can send any address in X-Forwarded-For and pass for it, also within the networks of a key. Set TRUST_PROXY to the proxy's address.",
        ]
      : []),
    ...(publicUrl?.startsWith('https:') && trustProxy === false
      ? [
          'PUBLIC_URL is https, but TRUST_PROXY is false: all clients behind the proxy count as one address. Set TRUST_PROXY to the address of the proxy.',
        ]
      : []),
  ];
}

function isRemoteWithoutTls(database: DatabaseConfig): boolean {
  return (
    database.kind === 'mysql' &&
    database.tls === undefined &&
    !/^(localhost|127\.|\[::1\])/.test(new URL(database.url).hostname)
  );
}
