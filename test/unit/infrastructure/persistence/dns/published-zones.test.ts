import type { Database } from '../../../../../src/infrastructure/persistence/database/database';
import { SqlPublishedZones } from '../../../../../src/infrastructure/persistence/dns/transfers/sql-published-zones';

describe('the snapshot of a large zone', () => {
  it('is one of the account for a key of the account, and otherwise one for publication', async () => {
    const snapshots: (string | undefined)[] = [];
    const zones = new SqlPublishedZones({
      query: async () => [{ record_count: 10_000, denial: null }],
      snapshot: async (_use: unknown, accountId?: string) => void snapshots.push(accountId),
    } as unknown as Database);

    await zones.withSnapshot('example.com', async () => undefined);
    await zones.withSnapshot('example.com', async () => undefined, 'acc_1');

    expect(snapshots).toEqual([undefined, 'acc_1']);
  });
});
