import { createHash } from 'node:crypto';
import type { StoredValues } from '../../registry-adapter';

/** Ids of contacts at a registry, by the digest of their data. */
export interface ContactIds {
  find(digest: string): Promise<string | undefined>;
  save(digest: string, id: string): Promise<void>;
  forget(digest: string): Promise<void>;
}

const MAX_CACHED = 10_000;

/** Keeps ids in memory, and in `stored` if given: ids that the registry assigns cannot be computed again. */
export class KnownContactIds implements ContactIds {
  private readonly cache = new Map<string, string>();

  /** @param scope what an id depends on besides the registrant's data, like the server and the profile's options */
  constructor(
    private readonly stored?: StoredValues,
    private readonly scope = '',
  ) {}

  async find(digest: string): Promise<string | undefined> {
    return this.cache.get(digest) ?? this.stored?.get(this.keyOf(digest));
  }

  async save(digest: string, id: string): Promise<void> {
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(digest, id);
    await this.stored?.put(this.keyOf(digest), id);
  }

  async forget(digest: string): Promise<void> {
    this.cache.delete(digest);
    await this.stored?.remove(this.keyOf(digest));
  }

  private keyOf(digest: string): string {
    return `contact:${createHash('sha256')
      .update(JSON.stringify([this.scope, digest]))
      .digest('hex')}`;
  }
}
