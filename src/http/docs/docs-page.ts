import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router, type Request, type Response } from 'express';
import { version } from 'redoc/package.json';
import { readOnly } from '../shared/read-only';
import { staticContent } from '../shared/static-content';

/** The last number is the revision of what `readScript` changes. */
const SCRIPT_ADDRESS = `/docs/redoc-${version}-2.js`;
/** Sets the dark theme before Redoc reads it. The policy allows no script in the page. */
const SCHEME_SCRIPT =
  "const redoc=document.querySelector('redoc');if(matchMedia('(prefers-color-scheme:dark)').matches)redoc.setAttribute('theme',redoc.dataset.darkTheme)";
const SCHEME_ADDRESS = `/docs/scheme-${createHash('sha256').update(SCHEME_SCRIPT).digest('hex').slice(0, 8)}.js`;
/** The bar is that of the dashboard, in its colors. In the dark, some colors of Redoc are in no theme. */
const DARK_STYLE =
  'body{background:#101514;color:#e6ecea}.bar{border-color:#2b3532;background:#18201e}.bar a{color:#7dd6c8}.bar strong{color:#e6ecea}h5,h5 *,caption{color:#a5b2ae!important}[role=tab][aria-selected=true]{color:#17211e!important}.api-content svg polygon{fill:#a5b2ae!important}';
const PAGE_STYLE =
  ':root{color-scheme:light dark}body{margin:0}.bar{display:flex;gap:16px;align-items:center;padding:12px 20px;border-bottom:1px solid #dde2e0;background:#f6f7f6;font:16px/1.5 system-ui,sans-serif}.bar a{color:#0f6e63}.bar strong{margin-right:auto;color:#17211e}' +
  `@media(prefers-color-scheme:dark){${DARK_STYLE}}`;

/** The dashboard's tokens (public/dashboard.css). */
const THEME = {
  colors: {
    primary: { main: '#0f6e63' },
    success: { main: '#17693a' },
    warning: { main: '#7a4b00' },
    error: { main: '#a3241d' },
    text: { primary: '#17211e', secondary: '#55625e' },
    border: { dark: '#84908c', light: '#dde2e0' },
    http: { get: '#0f6e63', post: '#1c62c4', put: '#7a4b00', delete: '#a3241d' },
  },
  typography: {
    fontSize: '16px',
    fontFamily: 'system-ui, sans-serif',
    headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '600' },
    code: { wrap: true, color: '#0a574e', backgroundColor: '#e2f1ee' },
    links: { color: '#0f6e63' },
  },
  sidebar: { width: '290px', backgroundColor: '#f6f7f6', textColor: '#17211e' },
  rightPanel: { backgroundColor: '#18201e', textColor: '#e6ecea' },
};

const DARK_THEME = {
  ...THEME,
  colors: {
    primary: { main: '#7dd6c8' },
    success: { main: '#7fd39b' },
    warning: { main: '#f0b860' },
    error: { main: '#f59a92' },
    text: { primary: '#e6ecea', secondary: '#a5b2ae' },
    border: { dark: '#7b8783', light: '#2b3532' },
    gray: { 50: '#18201e', 100: '#222c29' },
    http: THEME.colors.http,
    responses: {
      success: { color: '#7fd39b', backgroundColor: '#15291c' },
      error: { color: '#f59a92', backgroundColor: '#331a18' },
      redirect: { color: '#f0b860', backgroundColor: '#33260d' },
      info: { color: '#8ab8f0', backgroundColor: '#152338' },
    },
  },
  schema: {
    linesColor: '#4a5854',
    nestedBackground: '#18201e',
    typeNameColor: '#a5b2ae',
    typeTitleColor: '#a5b2ae',
    requireLabelColor: '#f59a92',
    arrow: { color: '#a5b2ae' },
  },
  typography: {
    ...THEME.typography,
    code: { wrap: true, color: '#9be0d5', backgroundColor: '#17332f' },
    links: { color: '#7dd6c8', visited: '#7dd6c8', hover: '#a9e8de' },
  },
  sidebar: { width: '290px', backgroundColor: '#18201e', textColor: '#e6ecea', activeTextColor: '#7dd6c8' },
  fab: { backgroundColor: '#18201e', color: '#7dd6c8' },
};

/** As attributes of the element that Redoc looks for; it reads the rest from the document. */
const OPTIONS = [
  'spec-url="/openapi.json"',
  'expand-responses="200,201"',
  'json-sample-expand-level="all"',
  'hide-schema-titles',
  'native-scrollbars',
  `theme='${JSON.stringify(THEME)}'`,
  `data-dark-theme='${JSON.stringify(DARK_THEME)}'`,
].join(' ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference · Namewright</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<nav class="bar" aria-label="Namewright"><strong>API reference</strong><a href="/">Dashboard</a><a href="/api-keys">API keys</a></nav>
<redoc ${OPTIONS}></redoc>
<noscript>This page needs JavaScript. The document itself is <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${SCHEME_ADDRESS}"></script>
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

/** Redoc in one script, without the logo that it would fetch from its makers, and with colors that follow the scheme. */
function readScript(): Buffer {
  const script = readFileSync(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  const active = 'background-color: ${e.theme.colors.primary.main}';
  const adapted = script
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replace('color: #0e7c86', 'color: inherit')
    .replace(`color: white;\\n      ${active}`, `color: Canvas;\\n      ${active}`)
    .replace('background-color: white;\\n      `}', 'background-color: Canvas;\\n      `}');
  return Buffer.from(adapted);
}

/** The OpenAPI document as a page, without authentication. */
export function docsPage(): Router {
  const router = Router({ caseSensitive: true });
  router.route('/docs').get(sendPage).all(readOnly);
  router
    .route(SCHEME_ADDRESS)
    .get(staticContent(Buffer.from(SCHEME_SCRIPT), 'text/javascript'))
    .all(readOnly);
  router.route(SCRIPT_ADDRESS).get(staticContent(readScript(), 'text/javascript')).all(readOnly);
  return router;
}

function sendPage(_req: Request, res: Response): void {
  res.setHeader('Content-Security-Policy', POLICY);
  res.type('html').send(PAGE);
}
