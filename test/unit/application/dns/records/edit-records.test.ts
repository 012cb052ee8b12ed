import { MAX_EDITS, type EditRecordsCommand } from '../../../../../src/application/dns/records/edit-records';
import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import type { ZoneLimits } from '../../../../../src/domain/dns/zone-rules';
import { turnsUntil } from '../../../../support/turns-until';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';

type Edits = Partial<Pick<EditRecordsCommand, 'create' | 'update' | 'delete' | 'expectedVersions'>>;

const a = (content: string, name = 'www'): RecordDraft => ({ type: 'A', name, content });

describe('editing records', () => {
  let around: UseCaseContext;
  let one: string;
  let two: string;
  const add = async (draft: RecordDraft) =>
    (await dnsUseCases(around).addRecord.execute({ ...OURS, domainId: 'dom_1', draft })).result.id;
  const edit = (edits: Edits, limits?: ZoneLimits) =>
    dnsUseCases(around, limits).editRecords.execute({
      ...OURS,
      domainId: 'dom_1',
      create: [],
      update: [],
      delete: [],
      ...edits,
    });
  const zone = () => around.storage.tables.zones.get('dom_1');
  const lines = () =>
    zone()
      ?.records.map(({ name, type, content }) => `${name} ${type} ${content}`)
      .toSorted();

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
    one = await add(a('192.0.2.1'));
    two = await add(a('192.0.2.2'));
    around.clock.advance({ days: 1 });
  });

  it('creates, updates and deletes in one version, one NOTIFY and one audit entry', async () => {
    const [announced, told] = [around.publisher.announced.length, around.auditEntries.length];

    const { zoneVersion, result } = await edit({
      create: [a('192.0.2.3')],
      update: [{ id: one, patch: { ttl: 60 } }],
      delete: [two],
    });

    expect(lines()).toEqual(['www A 192.0.2.1', 'www A 192.0.2.3']);
    expect([zoneVersion, zone()?.version]).toEqual([4, 4]);
    expect([result.added.length, result.changed.length, result.removed.length]).toEqual([1, 1, 1]);
    expect(around.publisher.announced.slice(announced)).toMatchObject([{ serial: 4 }]);
    expect(around.auditEntries.slice(told)).toMatchObject([
      { ...OURS, action: 'zone.changed', at: around.clock.now() },
    ]);
  });

  it('writes only the updates that differ, and returns all', async () => {
    const { result, zoneVersion } = await edit({
      update: [
        { id: one, patch: { content: '192.0.2.1' } },
        { id: two, patch: { ttl: 60 } },
      ],
    });

    expect(result.changed.map(({ after }) => after.id)).toEqual([one, two]);
    expect(zoneVersion).toBe(4);
    expect(zone()?.changes.at(-1)).toMatchObject({ changed: 1, records: [{ after: { id: two } }] });
    expect(zone()?.records.map(({ updatedAt }) => updatedAt)).toEqual([around.clock.now(), around.clock.now()]);
  });

  it('keeps the version of the zone if no update differs', async () => {
    const announced = around.publisher.announced.length;

    const { result, zoneVersion } = await edit({
      update: [
        { id: one, patch: {} },
        { id: two, patch: { ttl: 3600 } },
      ],
    });

    expect(result.changed).toHaveLength(2);
    expect([zoneVersion, zone()?.version, zone()?.changes.length]).toEqual([3, 3, 3]);
    expect(around.publisher.announced).toHaveLength(announced);
  });

  it('may replace as many records of a full zone as it removes', async () => {
    const limits = { ...DEFAULT_ZONE_LIMITS, recordsPerSet: 100, recordsPerZone: 2 };

    await expect(edit({ create: [a('192.0.2.3')] }, limits)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await edit({ delete: [one], create: [a('192.0.2.3')] }, limits);

    expect(lines()).toEqual(['www A 192.0.2.2', 'www A 192.0.2.3']);
  });

  it('lets records take the places of others', async () => {
    await edit({ delete: [one, two], create: [{ type: 'CNAME', name: 'www', content: 'example.net' }] });

    expect(lines()).toEqual(['www CNAME example.net']);
  });

  it('lets two records swap their contents', async () => {
    await edit({
      update: [
        { id: one, patch: { content: '192.0.2.2' } },
        { id: two, patch: { content: '192.0.2.1' } },
      ],
    });

    expect(new Map(zone()?.records.map(({ id, content }) => [id, content]))).toEqual(
      new Map([
        [one, '192.0.2.2'],
        [two, '192.0.2.1'],
      ]),
    );
  });

  it('happens once if the database repeats the transaction, under the returned ids', async () => {
    around.storage.repeatEveryUnit();

    const { result } = await edit({ create: [a('192.0.2.3')] });

    expect(lines()).toHaveLength(3);
    expect(zone()?.records.map(({ id }) => id)).toContain(result.added[0]?.id);
  });

  it('accepts 500 at once', async () => {
    await edit({ create: Array.from({ length: MAX_EDITS }, (_, index) => a('192.0.2.1', `host-${index}`)) });

    expect(lines()).toHaveLength(MAX_EDITS + 2);
  });

  describe('is rejected as a whole, and changes nothing,', () => {
    it.each<[string, string, string | undefined, (ids: { one: string; two: string }) => Edits]>([
      ['for nothing at all', 'VALIDATION_ERROR', undefined, () => ({})],
      [
        'for more than 500',
        'VALIDATION_ERROR',
        undefined,
        () => ({ create: Array.from({ length: MAX_EDITS + 1 }, (_, index) => a('192.0.2.1', `host-${index}`)) }),
      ],
      [
        'for a record that is named twice',
        'VALIDATION_ERROR',
        'update[0]',
        (ids) => ({ delete: [ids.one], update: [{ id: ids.one, patch: { ttl: 60 } }] }),
      ],
      ['for one that is not there', 'RECORD_NOT_FOUND', 'delete[1]', (ids) => ({ delete: [ids.one, 'rec_unknown'] })],
      [
        'for an update of one that is not there',
        'RECORD_NOT_FOUND',
        'update[0]',
        () => ({ update: [{ id: 'rec_unknown', patch: { ttl: 60 } }] }),
      ],
      [
        'for one that is faulty by itself',
        'INVALID_RECORD_CONTENT',
        'create[1]',
        () => ({ create: [a('192.0.2.3'), a('not an address')] }),
      ],
      ['for one that conflicts with what stays', 'RECORD_CONFLICT', 'create[0]', () => ({ create: [a('192.0.2.1')] })],
      [
        'for two that conflict with each other',
        'RECORD_CONFLICT',
        'create[1]',
        () => ({ create: [a('192.0.2.3'), a('192.0.2.3')] }),
      ],
    ])('%s', async (_what, code, place, edits) => {
      const [stored, announced] = [around.storage.tables, around.publisher.announced.length];

      await expect(edit(edits({ one, two }))).rejects.toMatchObject({
        code,
        details: expect.stringContaining(place ?? '1 to 500') as string,
      });

      expect(around.storage.tables).toEqual(stored);
      expect(around.publisher.announced).toHaveLength(announced);
    });

    it('naming the conflicting record by its place in the request, or by its id if it is stored', async () => {
      const [among, beside] = [
        { create: [a('192.0.2.3', 'new'), a('192.0.2.3', 'new')] },
        { create: [a('192.0.2.1')] },
      ];

      await expect(edit(among)).rejects.toMatchObject({
        details: 'create[1]: A new (create[0]) conflicts: the records are identical',
      });
      await expect(edit(beside)).rejects.toMatchObject({
        details: `create[0]: A www (${one}) conflicts: the records are identical`,
      });
    });

    it('naming every faulty item by its list and place', async () => {
      const faulty = edit({
        create: [a('x'), a('192.0.2.3'), { type: 'MX', name: '@', content: 'mail.example.net' }],
        update: [{ id: one, patch: { ttl: 1 } }],
        delete: ['rec_unknown'],
      });

      const { details } = await faulty.then(
        () => ({ details: '' }),
        (error: { details: string }) => error,
      );

      expect(details.split('; ').map((fault) => fault.split(':')[0])).toEqual([
        'delete[0]',
        'update[0]',
        'create[0]',
        'create[2]',
      ]);
    });
  });

  it('reads and checks records in slices, so that other requests wait for a few of them only', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    const create = Array.from({ length: MAX_EDITS }, (_, index) => a('192.0.2.1', `r${index}`));

    const turns = await turnsUntil(edit({ create }));

    // Each record is created, compared with those of its name, and measured; five of these steps make a slice.
    expect(turns).toBeGreaterThan((2 * MAX_EDITS) / 5);
    jest.restoreAllMocks();
  });

  describe('that expects a version', () => {
    it('is accepted at one of those versions, and not at another', async () => {
      await edit({ expectedVersions: [1, 3], create: [a('192.0.2.3')] });

      await expect(edit({ expectedVersions: [1, 3], create: [a('192.0.2.4')] })).rejects.toMatchObject({
        code: 'PRECONDITION_FAILED',
      });
      expect(lines()).toHaveLength(3);
    });

    it('loses no update of two at once: one of them is rejected', async () => {
      const ttls = [60, 90];
      const outcomes = await Promise.allSettled(
        ttls.map((ttl) => edit({ expectedVersions: [3], update: [{ id: one, patch: { ttl } }] })),
      );

      const accepted = ttls.filter((_ttl, index) => outcomes[index]?.status === 'fulfilled');
      expect(accepted).toEqual([zone()?.records.find(({ id }) => id === one)?.ttl]);
    });
  });
});
