import type {
  DailyUsage,
  UsageEntry,
  UsageKind,
} from '../../../../../src/application/ports/access/rate-limits-and-usage';

export class InMemoryDailyUsage implements DailyUsage {
  private readonly totals = new Map<string, number>();

  async total(day: Date, accountId: string, kind: UsageKind): Promise<number> {
    return this.totals.get([day.getTime(), accountId, kind].join()) ?? 0;
  }

  async add(day: Date, entries: readonly UsageEntry[]): Promise<void> {
    for (const { accountId, kind, bytes } of entries)
      this.totals.set(
        [day.getTime(), accountId, kind].join(),
        bytes + (this.totals.get([day.getTime(), accountId, kind].join()) ?? 0),
      );
  }
}
