import { Unfit } from './unfit';

export type DatabaseConfig = { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'mysql'; readonly url: string };

export function parseDatabaseUrl(text: string): DatabaseConfig {
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
