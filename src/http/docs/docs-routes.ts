import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { parse } from 'yaml';
import { securityHeaders } from '../dashboard/middleware/security-headers';
import { readOnly } from '../shared/read-only';
import { respondJson } from '../shared/respond';
import { ok } from '../shared/result';
import { staticContent } from '../shared/static-content';
import { withCodeSamples } from './code-samples';
import type { OpenapiDocument } from './openapi-document';
import { referencePages, type ReferencePages } from './reference-pages';

/** The same path from src/http/docs and from dist/http/docs. */
const FILE = join(__dirname, '../../../docs/openapi.yaml');
let document: OpenapiDocument | undefined;
let pages: ReferencePages | undefined;

/** The OpenAPI document as JSON and as pages, without authentication. */
export function docsRoutes(): Router {
  const router = Router({ caseSensitive: true });
  router
    .route('/openapi.json')
    .get((_req, res) => respondJson(res, ok(loadDocument())))
    .all(readOnly);
  router.route(['/docs', '/docs/:page']).get(securityHeaders(), sendPage()).all(readOnly);
  return router;
}

/** Read when it is first requested, because parsing it takes longer than the rest of the start. */
function loadDocument(): OpenapiDocument {
  return (document ??= withCodeSamples(parse(readFileSync(FILE, 'utf8'), { maxAliasCount: -1 }) as OpenapiDocument));
}

/** Renders each page when it is first requested. */
function sendPage(): RequestHandler {
  const rendered = new Map<string, RequestHandler>();
  return (req, res, next) => {
    const { page } = req.params;
    const path = page === undefined ? '/docs' : `/docs/${String(page)}`;
    const render = (pages ??= referencePages(loadDocument())).get(path);
    if (!render) return next('router');
    const handler = rendered.get(path) ?? staticContent(Buffer.from(render()), 'html', { versioned: false });
    rendered.set(path, handler);
    return handler(req, res, next);
  };
}
