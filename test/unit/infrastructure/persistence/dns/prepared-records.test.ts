import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { digestOf, jsonOf, prepareRecords } from '../../../../../src/infrastructure/persistence/dns/zone-changes';

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
