// Signs zones in another process, whose event loop does nothing else.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { settingsFor } from './service.mjs';

/** Returns the seconds that it took, and the longest event-loop task in CPU time: `{ seconds, longestMs }`. */
export function signZones(databaseUrl, domainIds) {
  const script = join(import.meta.dirname, 'sign-zones.mjs');
  const env = { ...process.env, ...settingsFor(databaseUrl) };
  const output = execFileSync(process.execPath, [script, ...domainIds], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
