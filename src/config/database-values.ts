import { isIP } from 'node:net';
import { InvalidValue } from './invalid-value';

/** As `--ssl-mode` of MySQL's own clients, without PREFERRED, which anyone between client and server can turn off. */
const SSL_MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;
const SSL_FILES = ['ssl-ca', 'ssl-cert', 'ssl-key'] as const;

export interface MysqlTls {
  /** REQUIRED encrypts only, VERIFY_CA verifies the server's certificate, VERIFY_IDENTITY its host name as well. */
  readonly mode: Exclude<(typeof SSL_MODES)[number], 'DISABLED'>;
  /** Names of PEM files. Without `ca`, the authorities that Node.js knows. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'mysql'; readonly url: string; readonly tls?: MysqlTls };

export function parseDatabaseUrl(text: string): DatabaseConfig {
  if (text.startsWith('sqlite:')) return { kind: 'sqlite', file: parseSqliteFile(text.slice('sqlite:'.length)) };
  const url = text.startsWith('mysql://') && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '' || url.username === '' || !/^\/[^/]+$/.test(url.pathname)) {
    throw new InvalidValue('must be sqlite:<file> or mysql://user:password@host:3306/name');
  }
  const tls = parseTls(url);
  return { kind: 'mysql', url: text.replace(/[?#][^]*$/, ''), ...(tls && { tls }) };
}

/** Certificates are verified unless `ssl-mode` says otherwise. */
function parseTls({ searchParams, hostname }: URL): MysqlTls | undefined {
  const known: readonly string[] = ['ssl-mode', ...SSL_FILES];
  const names = [...searchParams.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || new Set(names).size < names.length)
    throw new InvalidValue(`may have the parameters ${known.join(', ')}, each once, and no others`);
  const files = SSL_FILES.map((name) => searchParams.get(name));
  const mode = searchParams.get('ssl-mode') ?? (names.length > 0 ? 'VERIFY_IDENTITY' : 'DISABLED');
  if (!isOneOf(SSL_MODES, mode)) throw new InvalidValue(`must have an ssl-mode of ${SSL_MODES.join(', ')}`);
  if (files.includes(''))
    throw new InvalidValue('must name a file in each of ssl-ca, ssl-cert and ssl-key that it has');
  const [ca, cert, key] = files;
  if ((cert === null) !== (key === null)) throw new InvalidValue('must have both ssl-cert and ssl-key, or neither');
  if (mode === 'DISABLED') {
    if (names.length > 1) throw new InvalidValue('must have no ssl-ca, ssl-cert or ssl-key with ssl-mode=DISABLED');
    return undefined;
  }
  if (mode === 'VERIFY_IDENTITY' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new InvalidValue(
      'must have a host name, not an IP address, for ssl-mode=VERIFY_IDENTITY, which is the default with TLS',
    );
  return { mode, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function isOneOf<T extends string>(values: readonly T[], text: string): text is T {
  return (values as readonly string[]).includes(text);
}

/** `//host/…` is refused, because SQLite has no host; `///file` is an absolute path. */
function parseSqliteFile(path: string): string {
  const file = path.replace(/^\/\/(?=\/)/, '');
  if (file === '' || file.startsWith(':') || file.startsWith('//') || /[?#\0]/.test(file))
    throw new InvalidValue('must name a file, as in sqlite:data/namewright.db');
  return file;
}
