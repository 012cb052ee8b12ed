import { createHash } from 'node:crypto';
import { runCooperatively, type CooperativeTask } from '../../application/shared/run-cooperatively';
import type { ApiRequest } from './api-request';

const SLICE_LENGTH = 65_536;

/**
 * SHA-256 of method, path, query, If-Match and JSON body. Who asks is part of it only if they have limits, so that they get no
 * response to a request of others.
 */
export async function requestFingerprint({
  caller: { accountId, actor },
  method,
  path,
  query: { token: _token, ...query },
  headers,
  body,
}: Pick<ApiRequest, 'caller' | 'method' | 'path' | 'query' | 'headers' | 'body'>): Promise<string> {
  const hash = createHash('sha256');
  if ('id' in actor && actor.limits) hash.update(`${actor.id}\0`);
  const pieces = canonical([method, path, query, headers['if-match'] ?? null, body ?? null]);
  await runCooperatively(hashing(pieces, hash), accountId);
  return hash.digest('hex');
}

/** Hashes pieces, some at a time. */
function* hashing(pieces: Iterable<string>, hash: { update(text: string): unknown }): CooperativeTask<void> {
  let held = '';
  for (const piece of pieces) {
    held += piece;
    if (held.length < SLICE_LENGTH) continue;
    hash.update(held);
    held = '';
    yield;
  }
  hash.update(held);
}

/** JSON in which an object is the array of its members, `[name, value]`, in the order of their names. */
function* canonical(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield* stringPieces(value);
  } else if (typeof value === 'object' && value !== null) {
    const entries: unknown[] = Array.isArray(value)
      ? value
      : Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
    yield '[';
    for (const [index, entry] of entries.entries()) {
      if (index > 0) yield ',';
      yield* canonical(entry);
    }
    yield ']';
  } else {
    yield JSON.stringify(value);
  }
}

/** A string as JSON; no slice ends within a surrogate pair, which would be escaped otherwise. */
function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length;) {
    const end = at + SLICE_LENGTH;
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield JSON.stringify(text.slice(at, next)).slice(1, -1);
    at = next;
  }
  yield '"';
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
