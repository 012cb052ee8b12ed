import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import { parse } from 'yaml';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { ok } from '../shared/result';
import { withCodeSamples, type SampledDocument } from './code-samples';

/** The same path from src/http/docs and from dist/http/docs. */
const DOCUMENT = join(__dirname, '../../../docs/openapi.yaml');
let document: unknown;

/** The OpenAPI document as JSON, without authentication. */
export function openapiRoutes(): Router {
  const router = Router({ caseSensitive: true });
  router.route('/openapi.json').get(sendDocument).all(readOnly);
  return router;
}

/** Read on the first request, because parsing it takes longer than the rest of the start. */
function sendDocument(_req: Request, res: Response): void {
  document ??= withCodeSamples(parse(readFileSync(DOCUMENT, 'utf8'), { maxAliasCount: -1 }) as SampledDocument);
  respondJson(res, ok(document));
}
