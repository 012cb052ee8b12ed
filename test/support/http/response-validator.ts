import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { assertDocumented } from './assert-documented';
import { openapi } from './openapi';

/** Checks every response of a server against the OpenAPI document. */
export class ResponseValidator {
  private errors: Error[] = [];

  constructor(server: Server) {
    const listener = (req: IncomingMessage, res: ServerResponse) => this.record(req, res);
    server.prependListener('request', listener);
    server.prependListener('checkExpectation', listener);
  }

  /** @throws Error that lists the responses since the last call that the document does not describe */
  assertNoErrors(): void {
    const { errors } = this;
    this.errors = [];
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'), { cause: errors[0] });
  }

  private record({ method = '', url = '' }: IncomingMessage, res: ServerResponse): void {
    const sent: Buffer[] = [];
    const recordChunk = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk as string));
    };
    const write = res.write.bind(res);
    const end = res.end.bind(res);
    res.write = (chunk: unknown, ...rest: unknown[]) => {
      recordChunk(chunk);
      return write(chunk, ...(rest as []));
    };
    res.end = (...rest: unknown[]) => {
      recordChunk(rest[0]);
      this.check(method, url, res, Buffer.concat(sent));
      return end(...(rest as []));
    };
  }

  private check(method: string, address: string, res: ServerResponse, sent: Buffer): void {
    if (!isCoveredByDocument(address)) return;
    try {
      const body = decode(sent, res.getHeader('content-encoding'));
      assertDocumented({ method, address, status: res.statusCode, headers: res.getHeaders(), body });
    } catch (error) {
      this.errors.push(error as Error);
    }
  }
}

function decode(sent: Buffer, encoding: unknown): string {
  const decompress = sent.length > 0 && { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)];
  return (decompress ? decompress(sent) : sent).toString('utf8');
}

/** The paths of the document, and every path below /api. */
function isCoveredByDocument(address: string): boolean {
  const path = address.split('?')[0] ?? '';
  return path in openapi.paths || /^(?:https?:\/\/[^/]*)?\/api\//.test(path);
}
