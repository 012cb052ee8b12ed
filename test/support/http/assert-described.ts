import type { OutgoingHttpHeaders } from 'node:http';
import {
  assertValid,
  bodiesOf,
  ELSEWHERE,
  faultOf,
  openapi,
  pointerTo,
  resolved,
  type Described,
  type DescribedBody,
  type Header,
} from './openapi';

/** An answer as it goes out, and what was asked. */
export interface Answer {
  readonly method: string;
  readonly address: string;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Headers of every HTTP answer, which the document does not repeat; most are helmet's, and of one it says so once. */
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

/** @throws Error where the document does not describe this answer: its status, its body or one of its headers */
export function assertDescribed(answer: Answer): void {
  const { method, status, headers } = answer;
  // RFC 9110, section 13.1.2: what `If-None-Match: *` asks of any GET.
  if (status === 304 && answer.body === '' && (method === 'GET' || method === 'HEAD')) return;
  const { path, response } = descriptionOf(answer);
  const place = `${method} ${path} (${status})`;
  assertHeaders(place, resolved(response, openapi.components.responses).headers ?? {}, headers);
  if (method !== 'HEAD')
    assertBody(
      place,
      bodiesOf(response, pointerTo('paths', path, method.toLowerCase(), 'responses', String(status))),
      answer,
    );
}

function descriptionOf({ method, address, status }: Answer): { path: string; response: Described } {
  const asked = address.replace(/^https?:\/\/[^/?]*/, '').replace(/\?.*$/s, '');
  const path = templates.find(({ pattern }) => pattern.test(asked))?.path;
  const operation =
    path === undefined ? undefined : openapi.paths[path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  const responses = operation?.responses ?? ELSEWHERE;
  const response = responses[status];
  const missed = !operation && status !== elsewhere(asked, path);
  if (!response || missed) throw new Error(`${method} ${path ?? asked} is not described with the status ${status}`);
  return { path: path ?? asked, response };
}

/** The status of what is no operation: an address that cannot be read comes before one that is not there or takes no such method. */
function elsewhere(asked: string, path: string | undefined): number {
  if (path === undefined) return 404;
  return isDecodable(asked) ? 405 : 400;
}

function isDecodable(asked: string): boolean {
  try {
    return decodeURIComponent(asked) !== '';
  } catch {
    return false;
  }
}

function assertHeaders(place: string, described: Record<string, Header>, sent: OutgoingHttpHeaders): void {
  const known = new Map(
    Object.entries(described).map(([name, header]) => [
      name.toLowerCase(),
      resolved(header, openapi.components.headers),
    ]),
  );
  for (const [name, { required = false, schema = {} }] of known) {
    const value = sent[name]?.toString();
    if (value === undefined && required) throw new Error(`${place} lacks the header ${name}`);
    const typed = schema.type === 'integer' && /^\d+$/.test(value ?? '') ? Number(value) : value;
    const fault = value === undefined ? undefined : faultOf(schema, typed);
    if (fault !== undefined) throw new Error(`${place} has the header ${name}: ${value}: ${fault}`);
  }
  const unknown = Object.keys(sent).filter((name) => !known.has(name) && !COMMON_HEADERS.has(name));
  if (unknown.length > 0) throw new Error(`${place} is not described with the headers ${unknown.join(', ')}`);
}

function assertBody(place: string, bodies: readonly DescribedBody[], { headers, body }: Answer): void {
  if (bodies.length === 0 && body === '') return;
  const mediaType = headers['content-type']?.toString().split(';')[0] ?? '';
  const described = bodies.find((candidate) => candidate.mediaType === mediaType);
  if (!described) throw new Error(`${place} is not described as ${mediaType}: ${body}`);
  assertValid(described.pointer, mediaType === 'application/json' ? JSON.parse(body) : body);
}
