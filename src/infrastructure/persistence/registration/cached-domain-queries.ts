import type {
  DomainQueries,
  Expiring,
  SortedList,
  SortedPosition,
} from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import type { DomainStatus } from '../../../domain/registration/domain-status';

/** What took longer is cached. */
const SLOW_MS = 50;
const FRESH_MS = 60_000;
const MAX_ENTRIES = 1_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly freshUntil: number;
}

/**
 * Counts of accounts with very many domains, which take long, are up to a minute old when an overview is opened often, and
 * otherwise as old as the last one: they are counted again in the background. All other counts are exact.
 */
export class CachedDomainQueries implements DomainQueries {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly survey: DomainQueries,
    private readonly now: () => number = () => performance.now(),
  ) {}

  page(accountId: string, list: SortedList, limit: number, after?: SortedPosition): Promise<readonly DomainState[]> {
    return this.survey.page(accountId, list, limit, after);
  }

  countByStatus(accountId: string): Promise<ReadonlyMap<DomainStatus, number>> {
    return this.cached(`status ${accountId}`, () => this.survey.countByStatus(accountId));
  }

  expiring(accountId: string, from: Date, to: Date, spanMs: number): Promise<readonly Expiring[]> {
    return this.cached(`expiring ${accountId} ${from.getTime()} ${to.getTime()} ${spanMs}`, () =>
      this.survey.expiring(accountId, from, to, spanMs),
    );
  }

  ending(accountId: string, to: Date, limit: number): Promise<readonly DomainState[]> {
    return this.survey.ending(accountId, to, limit);
  }

  held(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.survey.held(accountId, ids);
  }

  newest(accountId: string): Promise<DomainState | undefined> {
    return this.survey.newest(accountId);
  }

  private async cached<T>(key: string, read: () => Promise<T>): Promise<T> {
    const entry = this.entries.get(key);
    if (!entry) return this.measured(key, read);
    if (entry.freshUntil <= this.now()) {
      // One reader counts again; until it is done, the others see what was counted before.
      this.entries.set(key, { ...entry, freshUntil: Infinity });
      void this.measured(key, read).catch(() => this.entries.delete(key));
    }
    return entry.value as Promise<T>;
  }

  private async measured<T>(key: string, read: () => Promise<T>): Promise<T> {
    const startedAt = this.now();
    const value = await read();
    this.entries.delete(key);
    if (this.now() - startedAt < SLOW_MS) return value;
    const oldest = this.entries.size < MAX_ENTRIES ? undefined : this.entries.keys().next().value;
    if (oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, { value: Promise.resolve(value), freshUntil: this.now() + FRESH_MS });
    return value;
  }
}
