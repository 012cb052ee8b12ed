import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { parse } from 'yaml';

/** As far from src/http/docs as from dist/http/docs. */
const DOCUMENT = join(__dirname, '../../../docs/openapi.yaml');

/** The interface as a document, for anyone: read once, at the start. */
export function openapiRoutes(): Router {
  const document: unknown = parse(readFileSync(DOCUMENT, 'utf8'), { maxAliasCount: -1 });
  const router = Router({ caseSensitive: true });
  router.get('/openapi.json', (_req, res) => {
    res.json(document);
  });
  return router;
}
