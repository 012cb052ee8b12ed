import type { EntityManager } from 'typeorm';
import { SERVICE } from '../../../../../src/domain/access/actor';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import {
  digestOf,
  jsonOf,
  prepareRecords,
  storeChanges,
} from '../../../../../src/infrastructure/persistence/dns/zone-changes';

const AT = new Date('2026-01-01T00:00:00.000Z');
const aRecordOf = (content: string) =>
  DnsRecord.create({ type: 'A', name: 'www', content }, 'example.com', 'rec_1', AT);

describe('records that are prepared before a transaction', () => {
  it('are stored like records that are not prepared', async () => {
    const prepared = aRecordOf('192.0.2.1');

    await prepareRecords({ added: [prepared], changed: [], removed: [] });

    expect(digestOf(prepared)).toBe(digestOf(aRecordOf('192.0.2.1')));
    expect(jsonOf(prepared)).toBe(jsonOf(aRecordOf('192.0.2.1')));
    expect(JSON.parse(jsonOf(prepared))).toMatchObject({ content: '192.0.2.1', createdAt: AT.getTime() });
  });

  it('are stored in the state that they have then', async () => {
    const record = aRecordOf('192.0.2.1');
    await prepareRecords({ added: [record], changed: [], removed: [] });

    record.change({ content: '192.0.2.2' }, 'example.com', AT);

    expect(digestOf(record)).toBe(digestOf(aRecordOf('192.0.2.2')));
    expect(JSON.parse(jsonOf(record))).toMatchObject({ content: '192.0.2.2' });
  });
});

describe('the history of a change of long records', () => {
  it('takes short statements, whose text is escaped and parsed in a few milliseconds', async () => {
    const content = Array.from({ length: 8 }, () => `"${'\\\\'.repeat(250)}"`).join(' ');
    const added = Array.from({ length: 200 }, (_, index) =>
      DnsRecord.create({ type: 'TXT', name: `t${index}`, content }, 'example.com', `rec_${index}`, AT),
    );
    const lengths: number[] = [];
    const parts: unknown[] = [];
    const manager = {
      connection: { options: { type: 'mysql' } },
      query: async (_sql: string, parameters: readonly unknown[]) => {
        lengths.push(parameters.reduce<number>((sum, value) => sum + String(value).length, 0));
        parts.push(parameters[2]);
      },
    } as unknown as EntityManager;

    await storeChanges(manager, [
      {
        zone: { domainId: 'dom_1', version: 1, serial: 1, recordCount: 0 },
        version: 2,
        serial: 2,
        change: { added, changed: [], removed: [] },
        by: { actor: SERVICE, at: AT },
      },
    ]);

    expect(lengths.length).toBeGreaterThan(8);
    expect(Math.max(...lengths)).toBeLessThan(140_000);
    expect(parts).toEqual(parts.map((_part, index) => index));
  });
});
