import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { staticContent } from '../shared/static-content';

const ROOT = join(__dirname, '../../..');
const FILES = {
  'dashboard.css': join(ROOT, 'public/dashboard.css'),
  'pictures.css': join(ROOT, 'public/pictures.css'),
  'dashboard.js': join(ROOT, 'public/dashboard.js'),
  'palette.js': join(ROOT, 'public/palette.js'),
  'reference.css': join(ROOT, 'public/reference.css'),
  'reference.js': join(ROOT, 'public/reference.js'),
  'passkeys.js': join(ROOT, 'public/passkeys.js'),
  'favicon.svg': join(ROOT, 'public/favicon.svg'),
  'icons.svg': join(ROOT, 'public/icons.svg'),
  // The style sheet names them without a version, so their names change with their content.
  'geist-5.3.0.woff2': join(ROOT, 'public/fonts/geist-5.3.0.woff2'),
  'geist-mono-5.3.0.woff2': join(ROOT, 'public/fonts/geist-mono-5.3.0.woff2'),
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
