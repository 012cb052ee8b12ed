import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { parse } from 'yaml';
import { onlyRead } from '../only-read';

/** As far from src/http/docs as from dist/http/docs. */
const DOCUMENT = join(__dirname, '../../../docs/openapi.yaml');

/** The interface as a document, for anyone; read when the first one asks, for reading it takes longer than the rest of the start. */
export function openapiRoutes(): Router {
  let document: unknown;
  const router = Router({ caseSensitive: true });
  router
    .route('/openapi.json')
    .get((_req, res) => {
      document ??= parse(readFileSync(DOCUMENT, 'utf8'), { maxAliasCount: -1 });
      res.json(document);
    })
    .all(onlyRead);
  return router;
}
