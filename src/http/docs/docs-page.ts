import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router, type Request, type Response } from 'express';
import { version } from 'redoc/package.json';
import { readOnly } from '../shared/read-only';
import { staticContent } from '../shared/static-content';

const SCRIPT_ADDRESS = `/docs/redoc-${version}.js`;
const PAGE_STYLE = 'body{margin:0}';

/** As attributes of the element that Redoc looks for; it reads the rest from the document. */
const OPTIONS = [
  'spec-url="/openapi.json"',
  'expand-responses="200,201"',
  'json-sample-expand-level="all"',
  'hide-schema-titles',
  'native-scrollbars',
  `theme='${JSON.stringify({ typography: { code: { wrap: true } }, colors: { primary: { main: '#1d4f91' } }, sidebar: { width: '290px' } })}'`,
].join(' ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Namewright: the interface</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<redoc ${OPTIONS}></redoc>
<noscript>This page needs JavaScript. The document itself is <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${SCRIPT_ADDRESS}"></script>
</body>
</html>
`;

/** Redoc fills its style elements through the CSSOM, so they are empty when the policy checks them. */
const EMPTY_STYLE = '';
/** Of perfect-scrollbar, which Redoc brings along; it may change with Redoc's version. */
const SCROLLBAR_STYLE_HASH = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

/** Nothing from elsewhere, nothing inline but these styles; the worker is Redoc's search. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${hashOf(EMPTY_STYLE)} ${hashOf(PAGE_STYLE)} ${SCROLLBAR_STYLE_HASH}`,
  'img-src data:',
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** Redoc in one script, without the logo that it would fetch from its makers. */
function readScript(): Buffer {
  const script = readFileSync(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  return Buffer.from(script.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,'));
}

/** The OpenAPI document as a page, without authentication. */
export function docsPage(): Router {
  const router = Router({ caseSensitive: true });
  router.route('/docs').get(sendPage).all(readOnly);
  router.route(SCRIPT_ADDRESS).get(staticContent(readScript(), 'text/javascript')).all(readOnly);
  return router;
}

function sendPage(_req: Request, res: Response): void {
  res.setHeader('Content-Security-Policy', POLICY);
  res.type('html').send(PAGE);
}
