import { readFileSync } from 'node:fs';

/** Of package.json, from dist/cli/src/program. */
export const VERSION = versionOf(new URL('../../../../package.json', import.meta.url));

function versionOf(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
