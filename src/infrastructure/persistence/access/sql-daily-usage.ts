import type { DailyUsage, UsageEntry, UsageKind } from '../../../application/ports/access/rate-limits-and-usage';
import type { Database } from '../database/database';
import { addToCounter } from '../database/table';

export class SqlDailyUsage implements DailyUsage {
  constructor(private readonly database: Database) {}

  async total(day: Date, accountId: string, kind: UsageKind): Promise<number> {
    const [row] = await this.database.query<{ bytes: number }>(
      'SELECT bytes FROM daily_usage WHERE used_on = ? AND account_id = ? AND kind = ?',
      [day.getTime(), accountId, kind],
    );
    return row?.bytes ?? 0;
  }

  async add(day: Date, entries: readonly UsageEntry[]): Promise<void> {
    // In one order, so that concurrent processes do not deadlock.
    const sorted = entries.toSorted((left, right) =>
      left.accountId + left.kind < right.accountId + right.kind ? -1 : 1,
    );
    await this.database.transaction(async (manager) => {
      for (const { accountId, kind, bytes } of sorted)
        await addToCounter(
          manager,
          'daily_usage',
          { used_on: day.getTime(), account_id: accountId, kind },
          'bytes',
          bytes,
        );
    });
  }
}
