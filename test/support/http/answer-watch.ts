import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { assertDescribed } from './assert-described';
import { openapi } from './openapi';

/** Holds every answer of a server against the document, whoever asked, before the answer leaves. */
export class AnswerWatch {
  private faults: Error[] = [];

  constructor(server: Server) {
    const listener = (req: IncomingMessage, res: ServerResponse) => this.watch(req, res);
    server.prependListener('request', listener);
    server.prependListener('checkExpectation', listener);
  }

  /** @throws Error for each answer since the last call that the document does not describe */
  assertNoFaults(): void {
    const faults = this.faults;
    this.faults = [];
    if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'), { cause: faults[0] });
  }

  private watch({ method = '', url = '' }: IncomingMessage, res: ServerResponse): void {
    const sent: Buffer[] = [];
    const keep = (chunk: unknown) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk as string));
    };
    const write = res.write.bind(res);
    const end = res.end.bind(res);
    res.write = (chunk: unknown, ...rest: unknown[]) => {
      keep(chunk);
      return write(chunk, ...(rest as []));
    };
    res.end = (...rest: unknown[]) => {
      keep(rest[0]);
      this.judge(method, url, res, Buffer.concat(sent).toString('utf8'));
      return end(...(rest as []));
    };
  }

  private judge(method: string, address: string, res: ServerResponse, body: string): void {
    if (!isOfTheInterface(address)) return;
    try {
      assertDescribed({ method, address, status: res.statusCode, headers: res.getHeaders(), body });
    } catch (error) {
      this.faults.push(error as Error);
    }
  }
}

/** What the document is about: the addresses that it names, and all below /api. */
function isOfTheInterface(address: string): boolean {
  const path = address.split('?')[0] ?? '';
  return path in openapi.paths || /^(?:https?:\/\/[^/]*)?\/api\//.test(path);
}
