import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ValidationError } from '../../domain/shared/validation-error';
import { FairSlots } from '../../application/shared/fair-slots';
import { waitForNextSlice } from '../../application/shared/run-cooperatively';
import { PayloadTooLarge, UnsupportedMediaType } from '../shared/errors';
import { accountOf } from '../shared/unread-responses';

/** Removes a byte order mark. */
const UTF8 = new TextDecoder();
const NOT_AS_ANNOUNCED = 'The body is not what its Content-Length or Content-Encoding says';
const SLICE_BYTES = 65_536;
/** Members and array entries; the largest batch has fewer. Validation takes its time for each. */
const MAX_VALUES = 8_000;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/**
 * Long bodies of an account that are received at once: all that end in one iteration of the event loop are put together and
 * checked in it. There is no limit for all accounts, because a client decides how long it sends.
 */
const longBodies = new FairSlots(Infinity, 4);

/** Counts the octets of a body against a limit, before they are looked at. */
type CountOctets = (octets: number) => Promise<void>;

/** Reads the body of a request; undefined without one. @throws UnsupportedMediaType, PayloadTooLarge, ValidationError, what `count` throws */
export interface BodyReader {
  read(req: Request, res: Response, count: CountOctets): Promise<unknown>;
}

/** The octets of a body of certain media types in UTF-8 and of a limited size. */
class RawBody {
  private readonly parse: RequestHandler;

  constructor(
    private readonly types: readonly [string, ...string[]],
    limit: string,
    private readonly anyType = false,
  ) {
    this.parse = express.raw({ limit, type: anyType ? () => true : [...types] });
  }

  async read(req: Request, res: Response, count: CountOctets): Promise<Buffer | undefined> {
    const [expected] = this.types;
    const isExpected = hasBody(req);
    if (isExpected && !this.anyType && !(req.is([...this.types]) && isUtf8Named(req)))
      throw new UnsupportedMediaType(expected);
    const receive = () =>
      new Promise<void>((resolve, reject) => {
        // body-parser waits for ever for a compressed body that breaks off.
        const onClose = () => {
          if (!req.complete) reject(ValidationError.of('', NOT_AS_ANNOUNCED));
        };
        req.once('close', onClose);
        void this.parse(req, res, (error?: unknown) => {
          req.off('close', onClose);
          if (error === undefined) resolve();
          else reject(translated(error, expected));
        });
      });
    const accountId = accountOf(res);
    await (isExpected && accountId !== '' && isLong(req) ? longBodies.run(accountId, receive) : receive());
    const body: unknown = req.body;
    // body-parser does not report a connection that had broken before it began to read.
    if (isExpected && body === undefined && !req.complete) throw ValidationError.of('', NOT_AS_ANNOUNCED);
    if (!Buffer.isBuffer(body)) return undefined;
    await count(body.length);
    if (!isUtf8(body)) throw ValidationError.of('', 'The body must be UTF-8');
    return body;
  }
}

export class JsonBody implements BodyReader {
  private readonly raw: RawBody;

  constructor(
    limit: string,
    anyType = false,
    private readonly maxValues = MAX_VALUES,
  ) {
    this.raw = new RawBody(['application/json'], limit, anyType);
  }

  /** A long body is checked in several turns of the event loop. */
  async read(req: Request, res: Response, count: CountOctets): Promise<unknown> {
    const octets = await this.raw.read(req, res, count);
    if (!octets) return undefined;
    const bounds = new JsonBounds(this.maxValues);
    for (let at = 0; at < octets.length; at += SLICE_BYTES) {
      bounds.read(octets.subarray(at, at + SLICE_BYTES));
      if (octets.length > SLICE_BYTES) await waitForNextSlice(accountOf(res));
    }
    const body = parsed(octets);
    if (octets.length > SLICE_BYTES) await waitForNextSlice(accountOf(res));
    return body;
  }
}

export class TextBody implements BodyReader {
  private readonly raw: RawBody;

  constructor(types: readonly [string, ...string[]], limit: string, anyType = false) {
    this.raw = new RawBody(types, limit, anyType);
  }

  async read(req: Request, res: Response, count: CountOctets): Promise<string | undefined> {
    const octets = await this.raw.read(req, res, count);
    return octets && UTF8.decode(octets);
  }
}

export const JSON_BODY: BodyReader = new JsonBody('256kb');
/** For many records at once. */
export const LARGE_JSON_BODY: BodyReader = new JsonBody('4mb');
/** For ids of 10,000 domains. */
export const BULK_JSON_BODY: BodyReader = new JsonBody('4mb', false, 10_100);
/** For programs that send JSON with another media type, or without one. */
export const UNTYPED_JSON_BODY: BodyReader = new JsonBody('4mb', true, 20_000);
/** For programs that send a form, with its media type or without. */
export const FORM_BODY: BodyReader = new TextBody(['application/x-www-form-urlencoded'], '8kb', true);
/** RFC 4027. */
export const ZONE_FILE_BODY: BodyReader = new TextBody(['text/dns', 'text/plain'], '8mb');

/** An empty body is an object without members. @throws ValidationError */
function parsed(text: Buffer): unknown {
  try {
    return text.length === 0 ? {} : JSON.parse(UTF8.decode(text));
  } catch (error) {
    throw new ValidationError([{ path: '', message: 'The body must be well-formed JSON' }], { cause: error });
  }
}

/** US-ASCII is a subset of UTF-8, and the charset of zone files (RFC 4027). */
function isUtf8Named({ headers }: Request): boolean {
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Or possibly: 4 KB of gzip can hold 4 MB. */
function isLong({ headers }: Request): boolean {
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  return !(isPlain && Number(headers['content-length']) <= SLICE_BYTES);
}

/** By status and type, as body-parser sets them. The media type was checked before. */
function translated(error: unknown, expected: string): unknown {
  if (!(error instanceof Error && 'status' in error)) return error;
  if (error.status === 413) return new PayloadTooLarge({ cause: error });
  if (error.status === 415)
    return new UnsupportedMediaType(`${expected}, plain or compressed with gzip, deflate or br,`, { cause: error });
  if (error.status !== 400) return error;
  return new ValidationError([{ path: '', message: NOT_AS_ANNOUNCED }], { cause: error });
}

/** Of objects and arrays within the body. */
const MAX_DEPTH = 16;

/** What a byte means outside of strings; anything else is part of a value or a name. */
const Meaning = { part: 0, space: 1, open: 2, close: 3, comma: 4, quote: 5 } as const;
const MEANINGS = new Uint8Array(256);
for (const [bytes, meaning] of [
  [' \t\r\n', Meaning.space],
  ['[{', Meaning.open],
  [']}', Meaning.close],
  [',', Meaning.comma],
  ['"', Meaning.quote],
] as const) {
  for (const byte of Buffer.from(bytes)) MEANINGS[byte] = meaning;
}
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts the values and the nesting of a JSON text up to their limits, before it is parsed: 4 KB of gzip can hold a million
 * values, and each costs memory and time from JSON.parse on. The text need not be well-formed, and comes in pieces.
 */
export class JsonBounds {
  private depth = 0;
  private values = 0;
  private isFirst = false;
  private isString = false;
  /** The first byte of the next piece is escaped. */
  private isEscaped = false;

  constructor(private readonly maxValues = MAX_VALUES) {}

  /** @throws ValidationError */
  read(piece: Uint8Array): void {
    for (let at = this.isString ? this.endOfString(piece, 0) : 0; at < piece.length; at += 1) {
      const meaning = MEANINGS[piece[at] ?? 0];
      if (meaning === Meaning.space || (meaning === Meaning.part && !this.isFirst)) continue;
      if (meaning === Meaning.comma || (this.isFirst && meaning !== Meaning.close)) this.values += 1;
      this.isFirst = meaning === Meaning.open;
      if (this.isFirst) this.depth += 1;
      else if (meaning === Meaning.close) this.depth -= 1;
      else if (meaning === Meaning.quote) at = this.endOfString(piece, at + 1) - 1;
      this.assertWithin();
    }
  }

  private assertWithin(): void {
    if (this.values > this.maxValues)
      throw new ValidationError([{ path: '', message: `The body must not have more than ${this.maxValues} values` }]);
    if (this.depth > MAX_DEPTH + 1)
      throw new ValidationError([{ path: '', message: `The body must not be nested deeper than ${MAX_DEPTH} levels` }]);
  }

  /** The place behind the string, or the end of the piece if it goes on. */
  private endOfString(piece: Uint8Array, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    for (; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) break;
    }
    this.isEscaped = at > piece.length;
    this.isString = at >= piece.length;
    return Math.min(at + 1, piece.length);
  }
}
