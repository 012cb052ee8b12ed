import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import type { DatabaseConfig } from '../../config/database-values';

const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which a browser on this machine reaches a listener: a listener at all addresses is reached at the loopback address. */
export function localUrl(host: string, port: number): string {
  return urlOf(WILDCARDS[host] ?? host, port);
}

export function urlOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Beside the database, for `admin`, which may run with another PORT. With MySQL, any number of processes serve. */
export async function keepServiceUrl(database: DatabaseConfig, url: string): Promise<void> {
  if (database.kind === 'sqlite') await writeFile(fileOf(database.file), `${url}\n`, { mode: 0o600 });
}

/** Of the process that serves, or did so last; undefined if unknown. */
export function readServiceUrl(database: DatabaseConfig): string | undefined {
  if (database.kind !== 'sqlite') return undefined;
  try {
    const url = readFileSync(fileOf(database.file), 'utf8').trim();
    return /^http:\/\/\S{1,200}$/.test(url) && URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(database: string): string {
  return `${database}.url`;
}
