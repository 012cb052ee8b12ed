import { createHash } from 'node:crypto';
import type { StoredValues } from '../../registry-adapter';

const MAX_CACHED = 10_000;

/** Ids of contacts at a registry, by the digest of their data. Keeps them in memory, and in `stored` if given: ids that the registry assigns cannot be computed again. */
export class KnownContactIds {
  private readonly cache = new Map<string, string>();

  /** @param scope as of `ContactSettings` */
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
