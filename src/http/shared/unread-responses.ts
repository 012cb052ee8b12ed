import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A zone file can have 40 MiB. */
const MAX_UNREAD_BYTES = 128 * 1_048_576;

interface UnreadResponse {
  readonly res: Response;
  readonly accountId: string;
  readonly bytes: number;
}

/**
 * Sends responses that were written out in memory. If clients leave more than `maxBytes` unread, the account with the most
 * unread bytes loses its oldest response: the connection is closed. So slow readers do not use up the memory.
 */
export class UnreadResponses {
  private readonly unread = new Set<UnreadResponse>();

  constructor(private readonly maxBytes = MAX_UNREAD_BYTES) {}

  async send(res: Response, pieces: Iterable<Buffer>, bytes: number): Promise<void> {
    const response = { res, accountId: accountOf(res), bytes };
    this.unread.add(response);
    this.closeOldest();
    try {
      await pipeline(Readable.from(pieces), res);
    } finally {
      this.unread.delete(response);
    }
  }

  private closeOldest(): void {
    for (let victim = this.victim(); victim; victim = this.victim()) {
      this.unread.delete(victim);
      victim.res.destroy();
    }
  }

  private victim(): UnreadResponse | undefined {
    const perAccount = new Map<string, number>();
    for (const { accountId, bytes } of this.unread) perAccount.set(accountId, (perAccount.get(accountId) ?? 0) + bytes);
    const sums = [...perAccount.values()];
    if (sums.reduce((sum, bytes) => sum + bytes, 0) <= this.maxBytes) return undefined;
    const most = Math.max(...sums);
    return [...this.unread].find(({ accountId }) => perAccount.get(accountId) === most);
  }
}

/** The budget of this process. */
export const unreadResponses = new UnreadResponses();

/** Of the key or the session; responses without either share one budget. */
function accountOf({ locals }: Response): string {
  const { caller, userSession } = locals as {
    readonly caller?: { readonly accountId: string };
    readonly userSession?: { readonly user: { readonly accountId: string } };
  };
  return caller?.accountId ?? userSession?.user.accountId ?? '';
}
