import { createHash } from 'node:crypto';
import type { Clock } from '../../../../application/ports/system';
import type { StoredValues } from '../../registry-adapter';

const MAX_CACHED = 10_000;
const MAX_LISTED = 1_000;
/** So that one sweep ends within the time limit of a command. */
const MAX_SWEPT = 20;
const SCOPE_DIGITS = 16;

/**
 * Ids of contacts at a registry, by the digest of their data. Keeps them in memory, and in `stored` if given: ids that the registry
 * assigns cannot be computed again.
 */
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

/** A contact whose create was about to be sent, and that no accepted command is known to use. */
interface UnusedContact {
  /** Of the registrant's data. */
  readonly digest: string;
  /** Absent if the registry assigns it and its response did not arrive. */
  readonly id?: string;
  readonly tld: string;
  /** The clTRID of its create. */
  readonly transactionId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Contacts between their create and the command that uses them: stored, so that a process that dies there leaves no contact behind. */
export class UnusedContacts {
  private readonly prefix: string;
  /** Those that this process added. */
  private readonly added = new Map<string, UnusedContact>();

  /** @param scope as of `ContactSettings` */
  constructor(
    private readonly clock: Clock,
    private readonly stored?: StoredValues,
    scope = '',
  ) {
    this.prefix = `unused:${createHash('sha256').update(scope).digest('hex').slice(0, SCOPE_DIGITS)}:`;
  }

  async find(digest: string): Promise<UnusedContact | undefined> {
    const added = this.added.get(digest);
    const text = added ? undefined : await this.stored?.get(this.prefix + digest);
    return text === undefined ? added : (JSON.parse(text) as UnusedContact);
  }

  async add(contact: Omit<UnusedContact, 'at'>): Promise<void> {
    const added = { ...contact, at: this.clock.now().getTime() };
    await this.stored?.put(this.prefix + contact.digest, JSON.stringify(added));
    this.added.set(contact.digest, added);
  }

  async remove(digest: string): Promise<void> {
    this.added.delete(digest);
    await this.stored?.remove(this.prefix + digest);
  }

  /** Whether this process added it. One of another process that is used in fact is found by the next sweep. */
  isAdded(digest: string): boolean {
    return this.added.has(digest);
  }

  /** Some stored ones that are older than `ageMs`. */
  async olderThan(ageMs: number): Promise<readonly UnusedContact[]> {
    const texts = (await this.stored?.list(this.prefix, MAX_LISTED)) ?? [];
    const before = this.clock.now().getTime() - ageMs;
    return texts
      .map((text) => JSON.parse(text) as UnusedContact)
      .filter(({ at }) => at < before)
      .slice(0, MAX_SWEPT);
  }
}
