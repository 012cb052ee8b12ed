import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A zone file can have 40 MiB. */
const MAX_UNREAD_BYTES = 128 * 1_048_576;

interface UnreadResponse {
  readonly res: Response;
  readonly accountId: string;
  /** What is in memory for it, and counts once for all responses with it. */
  readonly content: object;
  bytes: number;
}

/**
 * Counts responses that were written out in memory. If clients leave more than `maxBytes` unread, the account with the most
 * unread bytes loses its oldest response: the connection is closed. So slow readers do not use up the memory.
 */
export class UnreadResponses {
  private readonly unread = new Set<UnreadResponse>();

  constructor(private readonly maxBytes = MAX_UNREAD_BYTES) {}

  /** Empties `pieces`, which share no memory: a piece is freed, and counts no more, when the next one can be sent. */
  async send(res: Response, pieces: Buffer[]): Promise<void> {
    const response = { res, accountId: accountOf(res), content: pieces, bytes: lengthOf(pieces) };
    return this.pipe(response, taken(pieces, response));
  }

  /** Pieces that other responses send, too, and that count until the last of them is sent. */
  async sendShared(res: Response, pieces: readonly Buffer[]): Promise<void> {
    const response = { res, accountId: accountOf(res), content: pieces, bytes: lengthOf(pieces) };
    return this.pipe(response, pieces);
  }

  /** Empties the pieces of each page. The next page is read when all of them are sent. */
  async sendPages(res: Response, pages: AsyncIterable<string[]>): Promise<void> {
    const response = { res, accountId: accountOf(res), content: res, bytes: 0 };
    return this.pipe(response, this.piecesOf(pages, response));
  }

  private async *piecesOf(pages: AsyncIterable<string[]>, response: UnreadResponse): AsyncGenerator<string> {
    for await (const pieces of pages) {
      response.bytes = lengthOf(pieces);
      this.freeMemory();
      yield* taken(pieces, response);
    }
  }

  private async pipe(
    response: UnreadResponse,
    pieces: Iterable<Buffer | string> | AsyncIterable<string>,
  ): Promise<void> {
    this.add(response);
    try {
      await pipeline(Readable.from(pieces), response.res);
    } finally {
      this.unread.delete(response);
    }
  }

  /** Counts `bytes` until the response is sent or its connection closes. */
  watch(res: Response, bytes: number): void {
    if (res.destroyed) return;
    const response = { res, accountId: accountOf(res), content: res, bytes };
    res.once('close', () => this.unread.delete(response));
    this.add(response);
  }

  private add(response: UnreadResponse): void {
    this.unread.add(response);
    this.freeMemory();
  }

  private freeMemory(): void {
    for (let victim = this.victim(); victim; victim = this.victim()) {
      this.unread.delete(victim);
      victim.res.destroy();
    }
  }

  private victim(): UnreadResponse | undefined {
    const perAccount = new Map<string, number>();
    const counted = new Set<object>();
    for (const { accountId, content, bytes } of this.unread) {
      if (!counted.has(content)) perAccount.set(accountId, (perAccount.get(accountId) ?? 0) + bytes);
      counted.add(content);
    }
    const sums = [...perAccount.values()];
    if (sums.reduce((sum, bytes) => sum + bytes, 0) <= this.maxBytes) return undefined;
    const most = Math.max(...sums);
    return [...this.unread].find(({ accountId, bytes }) => bytes > 0 && perAccount.get(accountId) === most);
  }
}

/** The budget of this process. */
export const unreadResponses = new UnreadResponses();

/** Characters of texts count as octets: nearly all are ASCII. */
export function lengthOf(pieces: readonly { readonly length: number }[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function* taken<T extends Buffer | string>(pieces: T[], response: UnreadResponse): Generator<T> {
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    yield piece;
    response.bytes -= piece.length;
  }
}

/** Of the key or the session; responses without either share one budget. */
export function accountOf({ locals }: Response): string {
  const { caller, userSession } = locals as {
    readonly caller?: { readonly accountId: string };
    readonly userSession?: { readonly user: { readonly accountId: string } };
  };
  return caller?.accountId ?? userSession?.user.accountId ?? '';
}
