import type { OutgoingHttpHeaders } from 'node:http';
import {
  assertValid,
  bodiesOf,
  findSchemaError,
  openapi,
  pointerTo,
  resolveRef,
  RESPONSES_WITHOUT_OPERATION,
  type Described,
  type DescribedBody,
  type Header,
} from './openapi';

/** A response, with the method and URL of its request. */
export interface SentResponse {
  readonly method: string;
  readonly address: string;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

/** Headers of every response, most of them set by helmet; the document does not repeat them. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

const templates = Object.keys(openapi.paths)
  .toSorted((left, right) => left.split('{').length - right.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`) }));

/** @throws Error if the OpenAPI document does not describe the status, the body or a header of the response */
export function assertDocumented(sent: SentResponse): void {
  const { method, status, headers } = sent;
  // RFC 9110, section 13.1.2: any GET may return 304 to `If-None-Match: *`.
  if (status === 304 && sent.body === '' && (method === 'GET' || method === 'HEAD')) return;
  const { location } = headers;
  // Of any write with a key that may only propose: `limits.propose` in the document.
  if (status === 202 && method !== 'GET' && location?.startsWith('/api/proposals/'))
    return assertDocumented({ ...sent, method: 'POST', address: '/api/proposals', status: 201 });
  const { path, response } = findDescription(sent);
  const place = `${method} ${path} (${status})`;
  assertHeaders(place, resolveRef(response, openapi.components.responses).headers ?? {}, headers);
  if (method !== 'HEAD')
    assertBody(
      place,
      bodiesOf(response, pointerTo('paths', path, method.toLowerCase(), 'responses', String(status))),
      sent,
    );
  if (method === 'GET' && path === '/api/events' && status === 200) assertEvents(JSON.parse(sent.body) as object[]);
}

/** What a response of the feed says of an event is what a webhook with it would say. */
function assertEvents(events: readonly { readonly type?: string }[]): void {
  for (const event of events)
    assertValid(pointerTo('webhooks', `${event.type}`, 'post', 'requestBody', 'content', JSON_TYPE, 'schema'), event);
}

function findDescription({ method, address, status }: SentResponse): { path: string; response: Described } {
  const requested = address.replace(/^https?:\/\/[^/?]*/, '').replace(/\?.*$/s, '');
  const path = templates.find(({ pattern }) => pattern.test(requested))?.path;
  const operation =
    path === undefined ? undefined : openapi.paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  const responses = operation?.responses ?? RESPONSES_WITHOUT_OPERATION;
  const response = responses[status];
  const isWrongStatus = !operation && status !== statusWithoutOperation(requested, path);
  if (!response || isWrongStatus)
    throw new Error(`${method} ${path ?? requested} is not described with the status ${status}`);
  return { path: path ?? requested, response };
}

/** The status for a path or method without an operation; 400 for a path that cannot be decoded takes precedence over 405. */
function statusWithoutOperation(requested: string, path: string | undefined): number {
  if (path === undefined) return 404;
  return isDecodable(requested) ? 405 : 400;
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function assertHeaders(place: string, described: Record<string, Header>, sent: OutgoingHttpHeaders): void {
  const known = new Map(
    Object.entries(described).map(([name, header]) => [
      name.toLowerCase(),
      resolveRef(header, openapi.components.headers),
    ]),
  );
  for (const [name, { required = false, schema = {} }] of known) {
    const value = sent[name]?.toString();
    if (value === undefined && required) throw new Error(`${place} lacks the header ${name}`);
    const typed = schema.type === 'integer' && /^\d+$/.test(value ?? '') ? Number(value) : value;
    const error = value === undefined ? undefined : findSchemaError(schema, typed);
    if (error !== undefined) throw new Error(`${place} has an invalid header ${name}: ${value}: ${error}`);
  }
  const unknown = Object.keys(sent).filter((name) => !known.has(name) && !COMMON_HEADERS.has(name));
  if (unknown.length > 0) throw new Error(`${place} is not described with the headers ${unknown.join(', ')}`);
}

function assertBody(place: string, bodies: readonly DescribedBody[], { headers, body }: SentResponse): void {
  if (bodies.length === 0 && body === '') return;
  const mediaType = headers['content-type']?.toString().split(';')[0] ?? '';
  const described = bodies.find((candidate) => candidate.mediaType === mediaType);
  if (!described) throw new Error(`${place} is not described as ${mediaType}: ${body}`);
  assertValid(described.pointer, mediaType === JSON_TYPE ? JSON.parse(body) : body);
}
