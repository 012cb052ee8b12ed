import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const PTR: RecordDraft = { type: 'PTR', name: '10', content: 'www.example.com.' };

describe.each(['2.0.192.in-addr.arpa', '0/26.2.0.192.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'])(
  'the reverse zone %s, where the operator has not switched on PTR',
  (name) => {
    let around: UseCaseContext;
    const cases = () => dnsUseCases(around);
    const command = { ...OURS, domainId: 'dom_1' };
    const stored = () =>
      around.storage.tables.zones
        .get('dom_1')
        ?.records.map((record) => `${record.name} ${record.type} ${record.content}`);

    beforeEach(async () => {
      around = new UseCaseContext();
      await around.givenDomain({ name });
    });

    it('takes PTR records one by one, in batches and in changes', async () => {
      const { result } = await cases().addRecord.execute({ ...command, draft: PTR });
      await cases().changeRecord.execute({ ...command, recordId: result.id, patch: { content: 'mail.example.com.' } });
      const create = [{ ...PTR, name: '11' }];
      await cases().editRecords.execute({ ...command, create, update: [], delete: [] });

      expect(stored()).toEqual(['10 PTR mail.example.com.', '11 PTR www.example.com.']);
    });

    it('takes PTR records of zone files, and removes those that the file does not have', async () => {
      await cases().importZoneFile.execute({ ...command, text: '10 3600 IN PTR www.example.com.\n' });
      await cases().importZoneFile.execute({ ...command, text: '11 3600 IN PTR mail.example.com.\n' });

      expect(stored()).toEqual(['11 PTR mail.example.com.']);
    });

    it('takes no other type that the operator has not switched on', async () => {
      const other = { type: 'HINFO', name: '10', content: '"ARM64" "Linux"' };

      await expect(cases().addRecord.execute({ ...command, draft: other })).rejects.toMatchObject({
        code: 'INVALID_RECORD_TYPE',
        details: expect.stringContaining('PTR'),
      });
    });
  },
);

describe('a /24 reverse zone', () => {
  it('delegates a part of its network, with a CNAME for each address (RFC 2317)', async () => {
    const around = new UseCaseContext();
    await around.givenDomain({ name: '2.0.192.in-addr.arpa' });
    const create = [
      { type: 'NS', name: '0/26', content: 'ns.customer.example.' },
      { type: 'CNAME', name: '1', content: '1.0/26.2.0.192.in-addr.arpa.' },
    ];

    await dnsUseCases(around).editRecords.execute({ ...OURS, domainId: 'dom_1', create, update: [], delete: [] });
    const { text } = await dnsUseCases(around).exportZoneFile.execute(OURS, 'dom_1');
    const written = [...text].join('');
    await dnsUseCases(around).importZoneFile.execute({ ...OURS, domainId: 'dom_1', text: written });

    expect(written).toMatch(/^0\/26\.2\.0\.192\.in-addr\.arpa\.\t3600\tIN\tNS\tns\.customer\.example\.$/m);
    expect(written).toMatch(/^1\.2\.0\.192\.in-addr\.arpa\.\t3600\tIN\tCNAME\t1\.0\/26\.2\.0\.192\.in-addr\.arpa\.$/m);
    expect(around.storage.tables.zones.get('dom_1')?.records).toHaveLength(2);
  });
});

describe('a zone that is no reverse zone', () => {
  it('takes neither PTR records nor slashes in names', async () => {
    const around = new UseCaseContext();
    await around.givenDomain();
    const add = (draft: RecordDraft) => dnsUseCases(around).addRecord.execute({ ...OURS, domainId: 'dom_1', draft });

    await expect(add(PTR)).rejects.toMatchObject({ code: 'INVALID_RECORD_TYPE' });
    await expect(add({ type: 'A', name: '0/26', content: '192.0.2.1' })).rejects.toMatchObject({
      code: 'INVALID_RECORD_NAME',
    });
    await expect(add({ type: 'CNAME', name: 'a', content: '1.0/26.example.net' })).rejects.toMatchObject({
      code: 'INVALID_RECORD_CONTENT',
    });
  });
});
