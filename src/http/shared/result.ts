export type ResultHeaders = Readonly<Record<string, string>>;

/** A response with a JSON body. */
export interface JsonResult {
  readonly status: number;
  readonly headers: ResultHeaders;
  readonly body: unknown;
  /** Has long lists below its members, so that it is serialized in steps. */
  readonly isLong?: boolean;
}

/** A list of any length, sent as one JSON array. */
export interface ItemStream<T = unknown> {
  readonly pages: AsyncIterable<readonly T[]>;
  present(item: T): object;
}

/** A text in UTF-8, which several responses may share. */
interface TextStream {
  readonly pieces: readonly Buffer[];
  readonly mediaType: string;
}

/** A response that is sent piece by piece. It cannot be stored for an Idempotency-Key, so only reads return one. */
export interface StreamResult {
  readonly headers: ResultHeaders;
  readonly stream: ItemStream | TextStream;
}

export type ApiResult = JsonResult | StreamResult;

const NO_HEADERS: ResultHeaders = {};

/** 200 with a JSON body. */
export function ok(body: unknown, headers: ResultHeaders = NO_HEADERS): JsonResult {
  return { status: 200, headers, body };
}

/** 200 with the items of all pages. */
export function okStream<T>(
  pages: AsyncIterable<readonly T[]>,
  present: (item: T) => object,
  headers: ResultHeaders = NO_HEADERS,
): StreamResult {
  const stream: ItemStream<T> = { pages, present };
  return { headers, stream };
}
