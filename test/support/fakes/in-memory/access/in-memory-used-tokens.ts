import type {
  UsedTokenReader,
  UsedTokens,
} from '../../../../../src/application/ports/access/idempotency-and-used-tokens';
import type { Tables } from '../tables';

export class InMemoryUsedTokenReader implements UsedTokenReader {
  constructor(private readonly committed: () => Tables) {}

  async usedUntil(digests: readonly string[]): Promise<Date | undefined> {
    const { usedTokens } = this.committed();
    const found = digests.flatMap((digest) => usedTokens.get(digest) ?? []);
    return found.toSorted((a, b) => b.getTime() - a.getTime())[0];
  }
}

export class InMemoryUsedTokens implements UsedTokens {
  constructor(private readonly tables: Tables) {}

  async use(digest: string, expiresAt: Date): Promise<boolean> {
    if (this.tables.usedTokens.has(digest)) return false;
    this.tables.usedTokens.set(digest, expiresAt);
    return true;
  }

  async useAgain(digest: string, expiresAt: Date): Promise<void> {
    this.tables.usedTokens.set(digest, expiresAt);
  }

  async useLater(digest: string, expiresAt: Date): Promise<Date> {
    const earlier = this.tables.usedTokens.get(digest)?.getTime() ?? 0;
    const at = new Date(Math.max(expiresAt.getTime(), earlier + 1));
    this.tables.usedTokens.set(digest, at);
    return at;
  }
}
