import { zoneIdOf } from '../../../src/domain/dns/zone-id';
import * as fc from 'fast-check';
import type { Route } from '../../../src/http/api/route';
import { openapi, requestExamples } from './openapi';
import type { RawRequest } from './raw-http';
import { HOSTILE_MEMBERS, text } from './odd-values';
import { bodyText, fileText } from './bad-bodies';

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

const contentTypeAbout = (right: string) =>
  fc.oneof(
    { weight: 24, arbitrary: fc.constant(right) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'application/json; charset=utf-16',
        'application/json; charset=nonsense',
        'application/json;',
        'APPLICATION/JSON; charset="utf-8"',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/problem+json',
        '*/*',
        ';',
        '',
      ),
    },
    { weight: 1, arbitrary: headerText },
  );

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'content-encoding',
    'accept',
    'accept-encoding',
    'accept-language',
    'x-request-id',
    'idempotency-key',
    'if-none-match',
    'if-match',
    'range',
    'x-forwarded-for',
    'x-http-method-override',
    'cookie',
    'origin',
    'referer',
    'expect',
  ),
  fc.oneof(
    fc.constantFrom(
      'gzip',
      'br',
      'deflate',
      'identity',
      'zip',
      '*',
      '*/*;q=x',
      'bytes=0-',
      '100-continue',
      '200-ok',
      'unknown, , 127.0.0.1',
      '%zz',
      '"',
    ),
    headerText,
  ),
  { maxKeys: 2, size: 'max' },
);

const oddQuery = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('limit', 'cursor', 'status', 'name', 'type', 'token', 'dry_run', ...HOSTILE_MEMBERS),
            text,
          ),
          text,
        ),
        { maxLength: 3 },
      )
      .map((pairs) => `?${pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&')}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '?',
      '?&&=',
      '?%',
      '?limit=%zz',
      '?limit=1&limit=2',
      '?limit[]=1',
      '?a[__proto__][x]=1',
      '?__proto__=1',
      '?cursor=%00',
      '?limit=0',
      '?limit=501',
      '?limit=1e2',
      '?name=%ff',
      '?type=constructor',
      '?status=__proto__',
      `?${'a=1&'.repeat(2_000)}`,
    ),
  },
);

function encoded(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString()); // encodeURIComponent throws for a lone surrogate
}

/** A path segment: mostly an existing id, so that the request passes the lookup. */
function pathStep(known: readonly string[]): fc.Arbitrary<string> {
  const undecodable = fc.constantFrom(
    '%',
    '%zz',
    '%c0%af',
    '%ff',
    '%00',
    '%2e%2e',
    '%2F',
    '..',
    '.',
    'a;b',
    'a%0d%0ab',
    'dom_',
    '%F0%9F%98%80',
  );
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(known[0] ?? 'unknown') },
    { weight: 2, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: text.map(encoded) },
    { weight: 1, arbitrary: undecodable },
  );
}

export interface Known {
  /** Existing values for the path parameter of this name, the account's own first. */
  readonly parameters: (name: string) => readonly string[];
  readonly key: string;
}

/** A zone has the id of its name with another prefix. */
function idsIn(path: string, ids: readonly string[]): readonly string[] {
  return path.startsWith('/zones/') ? ids.map((id) => (id.startsWith('dom_') ? zoneIdOf(id) : id)) : ids;
}

/** Random invalid requests for `route`, derived from the example bodies of the OpenAPI document. */
export function badRequests([method, path]: Route, { parameters, key }: Known): fc.Arbitrary<RawRequest> {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => (step.startsWith(':') ? pathStep(idsIn(path, parameters(step.slice(1)))) : fc.constant(step)));
  const withBody = method === 'post' || method === 'put';
  const good = goodBodies(method, path);
  const ofText = good.filter((body): body is string => typeof body === 'string');
  const content = ofText.length > 0 ? fileText(ofText) : bodyText(good as object[]);
  const body: fc.Arbitrary<string | Buffer | undefined> = withBody ? content : fc.constant(undefined);
  return fc.record({
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant(method.toUpperCase()) },
      { weight: 1, arbitrary: fc.constantFrom('PATCH', 'OPTIONS', 'PROPFIND', 'HEAD') },
    ),
    path: fc.tuple(fc.tuple(...steps), oddQuery).map(([parts, query]) => `/api/${parts.join('/')}${query}`),
    headers: fc
      .tuple(contentTypeAbout(ofText.length > 0 ? 'text/dns' : 'application/json'), oddHeaders, fc.boolean())
      .map(([type, odd, chunked]) => ({
        authorization: `Bearer ${key}`,
        ...(withBody && type !== '' && { 'content-type': type }),
        ...odd,
        ...(withBody && chunked && { 'transfer-encoding': 'chunked' }),
      })),
    body,
  });
}

function goodBodies(method: string, path: string): readonly unknown[] {
  const wanted = `/api${path}`.replaceAll(/:\w+/g, '{}');
  const template =
    Object.keys(openapi.paths).find((candidate) => candidate.replaceAll(/\{\w+\}/g, '{}') === wanted) ?? '';
  return requestExamples(method, template);
}
