import type { DnsRecord } from '../../../../src/domain/dns/records/dns-record';
import { assertZoneSize, DEFAULT_ZONE_LIMITS } from '../../../../src/domain/dns/zone-rules';
import { aRecord, CREATED, ZONE } from '../../../support/data/a-record';
import { assertConsistent } from '../../../support/assert-consistent';
import { thrownBy } from '../../../support/thrown-by';

const CNAME = { type: 'CNAME', content: 'example.org' };
const NULL_MX = { type: 'MX', content: '.', priority: 0 };
const DSYNC = { type: 'DSYNC', content: 'CDS NOTIFY 53 scanner.example.net.' };
const MX = { type: 'MX', content: 'mail.example.com', priority: 10 };

function judge(records: readonly DnsRecord[], ...changed: string[]): ReturnType<typeof thrownBy> {
  return thrownBy(() => assertConsistent(records, new Set(changed)));
}

function addresses(count: number): DnsRecord[] {
  return Array.from({ length: count }, (_, index) => aRecord({ content: `192.0.2.${index}` }, `rec_${index}`));
}

function texts(count: number): DnsRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aRecord({ type: 'TXT', content: `${index}`.padEnd(4096) }, `rec_${index}`),
  );
}

describe('neighbors', () => {
  it.each([
    [
      'a second DSYNC for a type and scheme',
      aRecord(DSYNC, 'rec_old'),
      aRecord({ ...DSYNC, content: 'CDS NOTIFY 5359 other.example.net.' }, 'rec_new'),
      'a name can have one DSYNC record for CDS NOTIFY',
    ],
    [
      'a record beside a CNAME',
      aRecord(CNAME, 'rec_old'),
      aRecord({}, 'rec_new'),
      'a CNAME must be the only record at its name',
    ],
    [
      'a CNAME beside a record',
      aRecord({}, 'rec_old'),
      aRecord(CNAME, 'rec_new'),
      'a CNAME must be the only record at its name',
    ],
    [
      'a second CNAME',
      aRecord(CNAME, 'rec_old'),
      aRecord({ ...CNAME, content: 'a.example.org' }, 'rec_new'),
      'a CNAME must be the only record at its name',
    ],
    [
      'a mail exchanger beside none',
      aRecord(NULL_MX, 'rec_old'),
      aRecord(MX, 'rec_new'),
      'a null MX must be the only MX record at its name',
    ],
    [
      'none beside a mail exchanger',
      aRecord(MX, 'rec_old'),
      aRecord(NULL_MX, 'rec_new'),
      'a null MX must be the only MX record at its name',
    ],
    ['an identical record', aRecord({}, 'rec_old'), aRecord({ ttl: 60 }, 'rec_new'), 'the records are identical'],
    ['an identical CNAME', aRecord(CNAME, 'rec_old'), aRecord(CNAME, 'rec_new'), 'the records are identical'],
  ])('are not %s; the details name what is in the way', (_what, old, created, reason) => {
    const refusals = [judge([old, created], 'rec_new'), judge([created, old], 'rec_new')];

    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        code: 'RECORD_CONFLICT',
        recordId: 'rec_new',
        details: `${old.type} www (rec_old) conflicts: ${reason}`,
      });
    }
  });

  it.each([
    ['a null MX beside other types', [aRecord(NULL_MX, 'rec_1'), aRecord({}, 'rec_2')]],
    ['a CNAME at another name', [aRecord(CNAME, 'rec_1'), aRecord({ name: 'a' }, 'rec_2')]],
    ['other TTLs in one set', [aRecord({ ttl: 60 }, 'rec_1'), aRecord({ content: '192.0.2.2', ttl: 90 }, 'rec_2')]],
    [
      'a DSYNC for each type',
      [aRecord(DSYNC, 'rec_1'), aRecord({ ...DSYNC, content: 'CSYNC NOTIFY 53 scanner.example.net.' }, 'rec_2')],
    ],
    [
      'texts whose strings are cut elsewhere',
      [aRecord({ type: 'TXT', content: 'ab' }, 'rec_1'), aRecord({ type: 'TXT', content: '"a" "b"' }, 'rec_2')],
    ],
  ])('may be %s', (_what, records) => {
    expect(judge(records, 'rec_1', 'rec_2')).toBeUndefined();
  });

  it('are judged by the outcome: a CNAME can be swapped for an address', () => {
    expect(judge([aRecord({}, 'rec_new')], 'rec_new')).toBeUndefined();
  });

  it('never include the record itself', () => {
    const record = aRecord(CNAME, 'rec_1');

    record.change({ content: 'EXAMPLE.org.' }, ZONE, CREATED);

    expect(judge([record], 'rec_1')).toBeUndefined();
  });

  it('stay unchanged if neither has changed', () => {
    const records = [aRecord(CNAME, 'rec_1'), aRecord({}, 'rec_2'), aRecord({}, 'rec_3')];

    expect(judge(records)).toBeUndefined();
    expect(judge([...records, aRecord({ name: 'a' }, 'rec_4')], 'rec_4')).toBeUndefined();
  });

  it('report an existing record rather than a new one', () => {
    const refusal = judge(
      [aRecord({}, 'rec_new'), aRecord({ content: '192.0.2.2' }, 'rec_old'), aRecord(CNAME, 'rec_cname')],
      'rec_new',
      'rec_cname',
    );

    expect(refusal).toMatchObject({ recordId: 'rec_cname', details: expect.stringContaining('(rec_old)') });
  });

  it('may all be new: the later one is rejected', () => {
    const refusal = judge([aRecord({}, 'rec_1'), aRecord({}, 'rec_2')], 'rec_1', 'rec_2');

    expect(refusal).toMatchObject({ recordId: 'rec_2', details: expect.stringContaining('(rec_1)') });
  });
});

describe('the limits of a zone', () => {
  it('hold a hundred records in a set', () => {
    expect(judge(addresses(100), 'rec_99')).toBeUndefined();
    expect(judge(addresses(101), 'rec_7')).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      recordId: 'rec_7',
      details: 'A domain can have at most 100 A records at www',
    });
  });

  it('count each type by itself', () => {
    expect(judge([...addresses(100), aRecord({ type: 'TXT', content: 'a' }, 'rec_txt')], 'rec_txt')).toBeUndefined();
  });

  it('hold a set below 64 KiB on the wire', () => {
    expect(judge(texts(15), 'rec_1')).toBeUndefined();
    expect(judge(texts(16), 'rec_1')).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: expect.stringContaining('64 KiB'),
    });
  });

  it('count every octet of a set: the message, and of each record its head, its text and a length for every 255 of that', () => {
    const left = 65_535 - (32 + 255 + 256) - 15 * (12 + 4096 + 17);
    const last = left - 12 - 13;
    const [fits, tooLong] = [last, last + 1].map((length) =>
      aRecord({ type: 'TXT', content: 'x'.repeat(length) }, 'rec_last'),
    );

    expect(judge([...texts(15), fits!], 'rec_last')).toBeUndefined();
    expect(judge([...texts(15), tooLong!], 'rec_last')).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('hold ten thousand records in a zone', () => {
    expect(thrownBy(() => assertZoneSize({ before: 9_999, after: 10_000 }))).toBeUndefined();
    expect(thrownBy(() => assertZoneSize({ before: 10_000, after: 10_001 }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: 'A domain can have at most 10000 records',
    });
  });

  it('let a zone that is past them change and shrink', () => {
    expect(thrownBy(() => assertZoneSize({ before: 12_000, after: 12_000 }))).toBeUndefined();
    expect(thrownBy(() => assertZoneSize({ before: 12_000, after: 11_999 }))).toBeUndefined();
  });

  it('are settings', () => {
    const limits = { ...DEFAULT_ZONE_LIMITS, recordsPerSet: 1 };

    expect(thrownBy(() => assertConsistent(addresses(2), new Set(['rec_1']), limits))?.code).toBe('LIMIT_EXCEEDED');
  });
});
