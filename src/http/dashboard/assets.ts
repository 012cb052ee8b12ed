import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { staticContent } from '../shared/static-content';

const ROOT = join(__dirname, '../../..');
const FILES = {
  'dashboard.css': join(ROOT, 'public/dashboard.css'),
  'dashboard.js': join(ROOT, 'public/dashboard.js'),
  'palette.js': join(ROOT, 'public/palette.js'),
  'reference.css': join(ROOT, 'public/reference.css'),
  'reference.js': join(ROOT, 'public/reference.js'),
  'passkeys.js': join(ROOT, 'public/passkeys.js'),
  'favicon.svg': join(ROOT, 'public/favicon.svg'),
  'htmx.js': require.resolve('htmx.org/dist/htmx.min.js'),
} as const;
type AssetName = keyof typeof FILES;

interface Asset {
  readonly bytes: Buffer;
  readonly version: string;
}

const assets = new Map(
  Object.entries(FILES).map(([name, file]): [string, Asset] => {
    const bytes = readFileSync(file);
    return [name, { bytes, version: createHash('sha256').update(bytes).digest('base64url').slice(0, 10) }];
  }),
);

/** The URL of an asset. It changes with the content, so that browsers may cache it forever. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets.get(name)?.version ?? ''}`;
}

export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true });
  for (const [name, { bytes }] of assets) {
    router.get(`/assets/${name}`, staticContent(bytes, name.slice(name.lastIndexOf('.'))));
  }
  return router;
}
