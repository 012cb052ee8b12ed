import * as fc from 'fast-check';
import type { Route } from '../../../src/http/api/routes';
import { openapi, requestExamples } from './openapi';
import type { RawRequest } from './raw-http';

/** Member names that can pollute prototypes or have broken libraries. */
const HOSTILE_MEMBERS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'toJSON',
  '',
  '0',
  '$ref',
];
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202egnp',
  '\ufeff',
  'ﷺ'.repeat(40),
  'x'.repeat(5_000),
  '.',
  '..',
  '../..',
  '@',
  '*',
  '-',
  '%',
  '%00',
  "' OR 1=1 --",
  '${jndi:x}',
  'xn--',
  'xn--a',
  'xn--ls8h',
  'faß.de',
  'a.b.c.d.e',
  '1.2.3.4',
  '::1',
  '+1.5',
  'NaN',
  '1e999',
  'com',
  '.com',
  'com.',
  'google.com',
  '😀.com',
  'true',
  'null',
];
/** Texts that pass the first checks and reach later rules. */
const PLAUSIBLE_TEXTS = [
  'A',
  'AAAA',
  'CNAME',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  '_sip._tcp',
  'www',
  '192.0.2.1',
  '2001:db8::1',
  '0 issue "ca.example"',
  'name.dev',
  'name.co.uk',
  'bücher.com',
  'dev',
  'ns1.example.org',
];
const ODD_NUMBERS = [
  0,
  -0,
  -1,
  1,
  10,
  11,
  60,
  65_536,
  0.1,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  Number.MIN_VALUE,
];
/** Numbers that JSON.stringify cannot produce. */
const RAW_NUMBERS = ['1e999', '-1e999', '9'.repeat(400), `0.${'0'.repeat(400)}1`];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)), // lone surrogates, too
  fc.domain(),
);
const number = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.oneof(text, number, fc.constantFrom(null, true, false, [], {}, [[]]), fc.jsonValue());
const member = fc.oneof(fc.constantFrom(...HOSTILE_MEMBERS), text);

type Json = unknown;
type Path = readonly (string | number)[];

/** The path of every nested value, including the value itself. */
function placesIn(value: Json, here: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [here];
  const inner = Object.entries(value).flatMap(([key, child]) =>
    placesIn(child, [...here, Array.isArray(value) ? Number(key) : key]),
  );
  return [here, ...inner];
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((inner, step) => (inner as Record<string | number, Json>)[step], value);
}

/** A different value of the same JSON type: the right shape, possibly the wrong meaning. */
function sameKind(value: Json): fc.Arbitrary<Json> {
  if (typeof value === 'string') return fc.oneof(fc.constantFrom(...PLAUSIBLE_TEXTS), text);
  if (typeof value === 'number') return number;
  if (typeof value === 'boolean') return fc.boolean();
  return Array.isArray(value)
    ? fc.array(fc.oneof(fc.constantFrom(...PLAUSIBLE_TEXTS, ...(value as Json[])), text), {
        maxLength: 60,
        size: 'max',
      })
    : fc.constant(value);
}

function changedAt(value: Json, [step, ...rest]: Path, change: (old: Json) => Json): Json {
  if (step === undefined) return change(value);
  const inner = (value as Record<string | number, Json>)[step];
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === step ? changedAt(item, rest, change) : item));
  return withMember(value as object, String(step), changedAt(inner, rest, change));
}

/** Also works for the member name __proto__. */
function withMember(value: object, name: string, content: Json): object {
  const entries = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries([...entries, [name, content]]);
}

const nested = (depth: number) =>
  fc.constantFrom(`${'['.repeat(depth)}${']'.repeat(depth)}`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** Request bodies as text: mutated valid bodies, random JSON and malformed JSON. */
function bodyText(good: readonly object[]): fc.Arbitrary<string | Buffer> {
  const arbitrary = json.map((value) => JSON.stringify(value));
  const broken = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 64 }).map((octets) => Buffer.from(octets)),
    fc.constantFrom('', '{', '{"a":}', '\ufeff{}', "{'a':1}", '{}{}'),
    nested(10),
    nested(20_000),
  );
  if (good.length === 0) return fc.oneof(arbitrary, broken);
  const place = fc
    .constantFrom(...good)
    .chain((body) => fc.tuple(fc.constant(body), fc.constantFrom(...placesIn(body))));
  const likely = place.chain(([body, path]) =>
    sameKind(valueAt(body, path)).map((value) => JSON.stringify(changedAt(body, path, () => value))),
  );
  const changed = fc
    .tuple(place, json)
    .map(([[body, path], value]) => JSON.stringify(changedAt(body, path, () => value)));
  const added = fc
    .tuple(fc.constantFrom(...good), member, json)
    .map(([body, name, value]) => JSON.stringify(withMember(body, name, value)));
  const addedInside = fc
    .tuple(place, member, json)
    .map(([[body, path], name, value]) =>
      JSON.stringify(
        changedAt(body, path, (old) =>
          typeof old === 'object' && old !== null && !Array.isArray(old) ? withMember(old, name, value) : [old],
        ),
      ),
    );
  const removed = fc
    .constantFrom(...good)
    .chain((body) => fc.subarray(Object.entries(body)).map((entries) => JSON.stringify(Object.fromEntries(entries))));
  const duplicated = fc.tuple(fc.constantFrom(...good), member, json, json).map(([body, extra, first, second]) => {
    const name = JSON.stringify(Object.keys(body)[0] ?? extra);
    return `{${name}:${JSON.stringify(first)},${JSON.stringify(body).slice(1, -1)},${name}:${JSON.stringify(second)}}`;
  });
  const extremeNumber = fc
    .tuple(place, fc.constantFrom(...RAW_NUMBERS))
    .map(([[body, path], digits]) =>
      JSON.stringify(changedAt(body, path, () => '\u0001')).replace('"\\u0001"', digits),
    );
  return fc.oneof(
    { weight: 12, arbitrary: likely },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: added },
    { weight: 2, arbitrary: addedInside },
    { weight: 1, arbitrary: removed },
    { weight: 2, arbitrary: duplicated },
    { weight: 1, arbitrary: extremeNumber },
    { weight: 1, arbitrary: arbitrary },
    { weight: 1, arbitrary: broken },
  );
}

const ODD_LINES = [
  '',
  ' ',
  '@',
  '(',
  ')',
  '"',
  '\\',
  '\0',
  '\r',
  ';',
  '$ORIGIN',
  '$ORIGIN .',
  '$ORIGIN example.net.',
  '$TTL',
  '$TTL 1w2d',
  '$TTL -1',
  '$INCLUDE /etc/passwd',
  '$GENERATE 1-99999999 a$ A 192.0.2.$',
  'www A 192.0.2.1',
  'www 300 IN A',
  'www 300 CH A 192.0.2.1',
  '* TXT "',
  `a TXT "${'x'.repeat(300)}"`,
  'a TXT "\\999"',
  'b CNAME @',
  '@ CNAME b',
  '@ NS ns1',
  '@ SOA ( 1',
  'c TYPE65280 \\# 1 00',
  '\t300\tA\t192.0.2.1',
  `${'a.'.repeat(200)} A 192.0.2.1`,
  'd 99999999999 A 192.0.2.1',
  'e MX 10 .',
  'f SRV 0 0 0 .',
  '__proto__ A 192.0.2.1',
  'constructor TXT toString',
];

/** Zone files that mix valid and malformed lines. */
function fileText(good: readonly string[]): fc.Arbitrary<string | Buffer> {
  const goodLines = good.flatMap((file) => file.split('\n'));
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...goodLines) },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_LINES) },
    { weight: 1, arbitrary: text },
  );
  const lines = fc.array(line, { maxLength: 30 }).map((all) => all.join('\n'));
  return fc.oneof(
    { weight: 8, arbitrary: lines },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((octets) => Buffer.from(octets)) },
  );
}

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

/** Random invalid requests for `route`, derived from the example bodies of the OpenAPI document. */
export function badRequests([method, path]: Route, { parameters, key }: Known): fc.Arbitrary<RawRequest> {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => (step.startsWith(':') ? pathStep(parameters(step.slice(1))) : fc.constant(step)));
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
