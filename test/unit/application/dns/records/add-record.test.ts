import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import type { DomainStatus } from '../../../../../src/domain/registration/domain-status';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';

const WWW: RecordDraft = { type: 'A', name: 'www', content: '192.0.2.1' };
const COMMAND = { ...OURS, domainId: 'dom_1', draft: WWW };
const LIMITS = { ...DEFAULT_ZONE_LIMITS, recordsPerSet: 2, recordsPerZone: 3 };

describe('adding a record', () => {
  let around: UseCaseContext;
  const add = (draft: Partial<RecordDraft> = {}, rest: Partial<typeof COMMAND> = {}) =>
    dnsUseCases(around, LIMITS).addRecord.execute({ ...COMMAND, draft: { ...WWW, ...draft }, ...rest });
  const recordsOf = (domainId: string) => around.storage.tables.zones.get(domainId)?.records;

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  it('stores it in canonical form with the defaults', async () => {
    const { result } = await add({ type: 'MX', name: 'Mail.Example.COM', content: 'MX1.Example.net.', priority: 10 });

    const now = around.clock.now();
    const expected = {
      id: result.id,
      type: 'MX',
      name: 'mail',
      content: 'mx1.example.net',
      ttl: 3600,
      priority: 10,
      weight: null,
      port: null,
      createdAt: now,
      updatedAt: now,
    };
    expect(result.toState()).toEqual(expected);
    expect(recordsOf('dom_1')).toEqual([expected]);
  });

  it('names the record that it conflicts with, but not to a key that may not see that record', async () => {
    const stored = await add({ type: 'TXT', content: 'secret' });
    const cname = { ...COMMAND, draft: { type: 'CNAME', name: 'www', content: 'www.example.net' } };
    const actor = { kind: 'key', id: 'AbC-dEf_0123', limits: { types: ['CNAME'] } } as const;
    const { addRecord } = dnsUseCases(around);

    await expect(addRecord.execute(cname)).rejects.toMatchObject({
      details: `TXT www (${stored.result.id}) conflicts: a CNAME must be the only record at its name`,
    });
    await expect(addRecord.execute({ ...cname, actor })).rejects.toMatchObject({
      code: 'RECORD_CONFLICT',
      details: 'A record that the key may not see conflicts: a CNAME must be the only record at its name',
    });
  });

  it('is refused if it would take names along that the key may not write', async () => {
    const actor = { kind: 'key', id: 'AbC-dEf_0123', limits: { names: ['lan'] } } as const;
    const draft = { type: 'NS', name: 'lan', content: 'ns1.example.net' };
    const { addRecord } = dnsUseCases(around);

    await expect(addRecord.execute({ ...COMMAND, actor, draft })).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: 'limits.names: NS records need a key for **.lan as well; it is for records named lan',
    });
    expect(recordsOf('dom_1')).toEqual([]);
  });

  it('returns the version and publishes the serial of the zone with the change', async () => {
    await add();

    const { zoneVersion } = await add({ name: 'mail' });

    expect(zoneVersion).toBe(3);
    expect(around.storage.tables.zones.get('dom_1')?.version).toBe(3);
    expect(around.publisher.announced).toEqual(
      [2, 3].map((serial) => ({ domainId: 'dom_1', zoneName: 'example.com', serial })),
    );
  });

  it('records what was added, and the actor', async () => {
    await add();

    expect(around.auditEntries).toMatchObject([
      {
        ...OURS,
        at: around.clock.now(),
        action: 'records.added',
        domain: { id: 'dom_1', name: 'example.com' },
        before: {},
        after: { records: ['www 3600 A 192.0.2.1'] },
      },
    ]);
  });

  it('adds, audits and publishes it once if the database repeats the transaction', async () => {
    around.storage.repeatEveryUnit();

    await add();

    expect(recordsOf('dom_1')).toHaveLength(1);
    expect(around.auditEntries).toHaveLength(1);
    expect(around.publisher.announced).toHaveLength(1);
  });

  it('accepts one of many identical records at once', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 5 }, () => add()));

    expect(
      attempts.map((attempt) => (attempt.status === 'fulfilled' ? 'added' : (attempt.reason as Error).name)).toSorted(),
    ).toEqual([...Array(4).fill('RecordConflict'), 'added']);
    expect(recordsOf('dom_1')).toHaveLength(1);
  });

  it.each<DomainStatus>(['pending', 'active', 'expired', 'redemption', 'pending_delete'])(
    'is possible while the domain is %s',
    async (status) => {
      await around.givenDomain({ id: 'dom_2', name: 'other.com', status });

      await add({}, { domainId: 'dom_2' });

      expect(recordsOf('dom_2')).toHaveLength(1);
    },
  );

  it('leaves other zones alone', async () => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com' });

    await add();

    expect(around.storage.tables.zones.get('dom_2')).toMatchObject({ version: 1, records: [] });
  });

  describe('that is rejected changes nothing and sends no NOTIFY:', () => {
    const [CNAME, SECOND] = [{ name: 'alias', type: 'CNAME', content: 'example.net' }, { content: '192.0.2.2' }];

    it.each<[string, string, Partial<RecordDraft>, Partial<typeof COMMAND>]>([
      ['to a domain that is not there', 'DOMAIN_NOT_FOUND', {}, { domainId: 'dom_unknown' }],
      ["to another account's domain", 'DOMAIN_NOT_FOUND', {}, STRANGER],
      ['to a domain that was transferred out', 'DOMAIN_STATUS_CONFLICT', {}, { domainId: 'dom_left' }],
      ['of an unknown type', 'INVALID_RECORD_TYPE', { type: 'SPF' }, {}],
      ['at a name that lies elsewhere', 'INVALID_RECORD_NAME', { name: 'www.example.net.' }, {}],
      ['with content of another type', 'INVALID_RECORD_CONTENT', { content: '2001:db8::1' }, {}],
      ['that is a CNAME at the root', 'CNAME_AT_ROOT', { ...CNAME, name: '@' }, {}],
      ['without the priority that its type needs', 'MISSING_PRIORITY', { type: 'MX', content: 'mail.example.net' }, {}],
      ['with a TTL that is too short', 'VALIDATION_ERROR', { ttl: 59 }, {}],
      ['that is identical to another', 'RECORD_CONFLICT', { name: 'www', content: '192.0.2.1', ttl: 60 }, {}],
      ['beside a CNAME', 'RECORD_CONFLICT', { name: 'alias' }, {}],
      ['that is a CNAME beside another record', 'RECORD_CONFLICT', { ...CNAME, name: 'www' }, {}],
    ])('%s', async (_which, code, draft, rest) => {
      await around.givenDomain({ id: 'dom_left', name: 'left.com', status: 'transferred_out' });
      await add();
      await add(CNAME);
      const [stored, announced] = [around.storage.tables, [...around.publisher.announced]];

      await expect(add(draft, rest)).rejects.toMatchObject({ code });

      expect(around.storage.tables).toEqual(stored);
      expect(around.publisher.announced).toEqual(announced);
    });

    it('one more than a set may have', async () => {
      await add();
      await add(SECOND);
      const stored = around.storage.tables;

      await expect(add({ content: '192.0.2.3' })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: 'A domain can have at most 2 A records at www',
      });

      expect(around.storage.tables).toEqual(stored);
    });

    it('one more than a zone may have', async () => {
      for (const name of ['a', 'b', 'c']) await add({ name });
      const stored = around.storage.tables;

      await expect(add({ name: 'd' })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: 'A domain can have at most 3 records',
      });

      expect(around.storage.tables).toEqual(stored);
    });

    it('while the database cannot be reached', async () => {
      const stored = around.storage.tables;
      around.storage.goDown();

      await expect(add()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

      around.storage.comeUp();
      expect(around.storage.tables).toEqual(stored);
      expect(around.publisher.announced).toEqual([]);
    });
  });
});
