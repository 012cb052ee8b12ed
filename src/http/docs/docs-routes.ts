import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Router, type RequestHandler } from 'express';
import { securityHeaders } from '../dashboard/middleware/security-headers';
import { STATE } from '../api/states/state-body';
import { readOnly } from '../shared/read-only';
import { staticContent } from '../shared/static-content';
import { withCodeSamples } from './code-samples';
import { LLMS_TEXT } from './llms-text';
import type { OpenapiDocument } from './openapi-document';
import { referencePages, type ReferencePages } from './reference-pages';

/** The same path from src/http/docs and from dist/http/docs. */
const FILE = join(__dirname, '../../../docs/openapi.yaml');
const THREAD_FILE = join(__dirname, 'openapi-thread.js');
let reference: Promise<Reference> | undefined;

interface Reference {
  readonly sendJson: RequestHandler;
  readonly pages: ReferencePages;
}

/** The OpenAPI document as JSON and as pages, without authentication. */
export function docsRoutes(): Router {
  const router = Router({ caseSensitive: true });
  router.route('/openapi.json').get(sendDocument()).all(readOnly);
  router.route('/llms.txt').get(unversioned(LLMS_TEXT, 'text/plain')).all(readOnly);
  router.route('/state.schema.json').get(stateSchema()).all(readOnly);
  router.route(['/docs', '/docs/:page']).get(securityHeaders(), sendPage()).all(readOnly);
  return router;
}

/** Read when it is first requested, in a thread, because parsing it takes longer than the rest of the start. */
async function loadReference(): Promise<Reference> {
  const document = withCodeSamples(
    await new Promise<OpenapiDocument>((resolve, reject) => {
      new Worker(THREAD_FILE, { workerData: FILE }).once('message', resolve).once('error', reject);
    }),
  );
  return { sendJson: unversioned(JSON.stringify(document), 'json'), pages: referencePages(document) };
}

/** Once, unless it fails. */
function readReference(): Promise<Reference> {
  reference ??= loadReference().catch((error: unknown) => {
    reference = undefined;
    throw error;
  });
  return reference;
}

function sendDocument(): RequestHandler {
  return async (req, res, next) => (await readReference()).sendJson(req, res, next);
}

/** JSON Schema of desired states, for editors of the files. */
function stateSchema(): RequestHandler {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Desired state', ...STATE.schema };
  return unversioned(JSON.stringify(schema, undefined, 2), 'application/schema+json');
}

/** Renders each page when it is first requested. */
function sendPage(): RequestHandler {
  const rendered = new Map<string, RequestHandler>();
  return async (req, res, next) => {
    const { page } = req.params;
    const path = page === undefined ? '/docs' : `/docs/${String(page)}`;
    const render = (await readReference()).pages.get(path);
    if (!render) return next('router');
    const handler = rendered.get(path) ?? unversioned(render(), 'html');
    rendered.set(path, handler);
    return handler(req, res, next);
  };
}

function unversioned(text: string, type: string): RequestHandler {
  return staticContent(Buffer.from(text), type, { versioned: false });
}
