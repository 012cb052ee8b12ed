import type { DnsRecord, RecordPatch, RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

describe('changing a record', () => {
  let around: UseCaseContext;
  let www: DnsRecord;
  const add = async (draft: Partial<RecordDraft>, domainId = 'dom_1') =>
    (
      await dnsUseCases(around).addRecord.execute({
        ...OURS,
        domainId,
        draft: { type: 'A', name: 'www', content: '192.0.2.1', ...draft },
      })
    ).result;
  const change = (patch: RecordPatch, rest: object = {}) =>
    dnsUseCases(around).changeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: www.id, patch, ...rest });
  const stored = (id = www.id) => around.storage.tables.zones.get('dom_1')?.records.find((record) => record.id === id);

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
    www = await add({});
    around.clock.advance({ days: 1 });
  });

  it('changes what the patch names and the time of the change, and nothing else', async () => {
    const { result } = await change({ ttl: 300 });

    const expected = { ...www.toState(), ttl: 300, updatedAt: around.clock.now() };
    expect(result.toState()).toEqual(expected);
    expect(stored()).toEqual(expected);
  });

  it('raises the version of the zone and sends NOTIFY', async () => {
    const { zoneVersion } = await change({ ttl: 300 });

    expect(zoneVersion).toBe(3);
    expect(around.publisher.announced.at(-1)).toEqual({ domainId: 'dom_1', zoneName: 'example.com', serial: 3 });
  });

  it('records the record before and after', async () => {
    await change({ content: '192.0.2.2' });

    expect(around.auditEntries.at(-1)).toMatchObject({
      ...OURS,
      at: around.clock.now(),
      action: 'records.changed',
      before: { records: ['www 3600 A 192.0.2.1'] },
      after: { records: ['www 3600 A 192.0.2.2'] },
    });
  });

  it('changes only the time of the change when a record is sent back unchanged', async () => {
    const { type, name, content, ttl, priority, weight, port } = www.toState();

    await change({ type, name, content, ttl, priority, weight, port });

    expect(stored()).toEqual({ ...www.toState(), updatedAt: around.clock.now() });
  });

  it.each([
    ['nothing', () => ({})],
    ['the data of the record', () => www.toState()],
    ['the same data in another form', () => ({ name: 'WWW.example.com.', content: '192.0.2.1' })],
  ])('adds no version, no history and no activity for a patch with %s', async (_what, patch) => {
    const [before, announced, told] = [
      around.storage.tables.zones.get('dom_1'),
      around.publisher.announced.length,
      around.auditEntries.length,
    ];

    const { result, zoneVersion } = await change(patch());

    const updatedAt = around.clock.now();
    expect(result.toState()).toEqual({ ...www.toState(), updatedAt });
    expect(zoneVersion).toBe(before?.version);
    expect(around.storage.tables.zones.get('dom_1')).toEqual({ ...before, records: [{ ...www.toState(), updatedAt }] });
    expect([around.publisher.announced.length, around.auditEntries.length]).toEqual([announced, told]);
    expect(
      (await dnsUseCases(around).changeRecord.plan({ ...OURS, domainId: 'dom_1', recordId: www.id, patch: patch() }))
        .change,
    ).toEqual({ added: [], changed: [], removed: [] });
  });

  it.each([
    { ttl: 60 },
    { name: 'mail' },
    { content: '192.0.2.9' },
    { type: 'MX', content: 'mail.example.net', priority: 5 },
  ])('adds a version for a patch with one other value: %j', async (patch) => {
    expect((await change(patch)).zoneVersion).toBe(3);
  });

  it.each([{ priority: 6 }, { weight: 6 }, { port: 6 }])(
    'adds a version for a patch with one other number: %j',
    async (patch) => {
      const service = await add({
        type: 'SRV',
        name: '_sip._tcp',
        content: 'sip.example.net',
        priority: 5,
        weight: 5,
        port: 5,
      });

      expect((await change(patch, { recordId: service.id })).zoneVersion).toBe(4);
    },
  );

  it('validates the resulting record: a new type needs its priority', async () => {
    await expect(change({ type: 'MX', content: 'mail.example.net' })).rejects.toMatchObject({
      code: 'MISSING_PRIORITY',
    });

    const { result } = await change({ type: 'MX', content: 'mail.example.net', priority: 5 });

    expect(result.toState()).toMatchObject({
      id: www.id,
      type: 'MX',
      name: 'www',
      content: 'mail.example.net',
      priority: 5,
    });
  });

  it('lets a record that stands alone become a CNAME', async () => {
    await change({ type: 'CNAME', content: 'example.net' });

    expect(stored()).toMatchObject({ id: www.id, type: 'CNAME', content: 'example.net' });
  });

  it('changes it once if the database repeats the transaction', async () => {
    around.storage.repeatEveryUnit();

    const { zoneVersion } = await change({ ttl: 300 });

    expect(zoneVersion).toBe(3);
    expect(around.publisher.announced).toHaveLength(2);
  });

  it('keeps both of two changes at once', async () => {
    await Promise.all([change({ ttl: 300 }), change({ content: '192.0.2.9' })]);

    expect(stored()).toMatchObject({ ttl: 300, content: '192.0.2.9' });
  });

  it.each<[string, string, RecordPatch, object]>([
    ['that is not there', 'RECORD_NOT_FOUND', { ttl: 300 }, { recordId: 'rec_unknown' }],
    ['through another domain of the account', 'RECORD_NOT_FOUND', { ttl: 300 }, { domainId: 'dom_2' }],
    ['of a domain that is not there', 'DOMAIN_NOT_FOUND', { ttl: 300 }, { domainId: 'dom_unknown' }],
    ["of another account's domain", 'DOMAIN_NOT_FOUND', { ttl: 300 }, STRANGER],
    ['of a domain that was transferred out', 'DOMAIN_STATUS_CONFLICT', { ttl: 300 }, { domainId: 'dom_left' }],
    ['into the twin of another', 'RECORD_CONFLICT', { content: '192.0.2.2' }, {}],
    ['into a CNAME beside another', 'RECORD_CONFLICT', { type: 'CNAME', content: 'example.net' }, {}],
    ['into one with content of another type', 'INVALID_RECORD_CONTENT', { type: 'AAAA' }, {}],
    ['into a CNAME at the root', 'CNAME_AT_ROOT', { type: 'CNAME', name: '@', content: 'example.net' }, {}],
    ['to a number that its type has not', 'VALIDATION_ERROR', { port: 443 }, {}],
  ])('refuses to change one %s, and changes nothing', async (_which, code, patch, rest) => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com' });
    await around.givenDomain({ id: 'dom_left', name: 'left.com', status: 'transferred_out' });
    await add({ content: '192.0.2.2' });
    const [before, announced] = [around.storage.tables, [...around.publisher.announced]];

    await expect(change(patch, rest)).rejects.toMatchObject({ code });

    expect(around.storage.tables).toEqual(before);
    expect(around.publisher.announced).toEqual(announced);
  });
});
