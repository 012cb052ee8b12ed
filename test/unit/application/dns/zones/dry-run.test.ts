import type { ZonePlan } from '../../../../../src/application/dns/zones/zone-plan';
import type { Written } from '../../../../../src/application/dns/zones/zone-request';
import type { DnsRecordState } from '../../../../../src/domain/dns/records/dns-record';
import { dnsUseCases, type DnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const COMMAND = { ...OURS, domainId: 'dom_1' };
const MX = { type: 'MX', name: '@', content: 'mail.example.com', priority: 10 };

interface Write {
  execute(command: unknown): Promise<Written<unknown>>;
  plan(command: unknown): Promise<ZonePlan>;
}

type Case = readonly [string, (cases: DnsUseCases) => Write, (recordId: string) => object, object];

const WRITES: readonly Case[] = [
  ['adding', ({ addRecord }) => addRecord, () => ({ draft: MX }), { added: 1, changed: 0, removed: 0 }],
  [
    'changing',
    ({ changeRecord }) => changeRecord,
    (recordId) => ({ recordId, patch: { ttl: 60 } }),
    { added: 0, changed: 1, removed: 0 },
  ],
  ['removing', ({ removeRecord }) => removeRecord, (recordId) => ({ recordId }), { added: 0, changed: 0, removed: 1 }],
  [
    'editing',
    ({ editRecords }) => editRecords,
    (id) => ({ create: [MX], update: [], delete: [id] }),
    { added: 1, changed: 0, removed: 1 },
  ],
  ['restoring', ({ restoreVersion }) => restoreVersion, () => ({ version: 1 }), { added: 0, changed: 0, removed: 1 }],
  [
    'importing',
    ({ importZoneFile }) => importZoneFile,
    () => ({ text: '@ 60 IN MX 10 mail\n' }),
    { added: 1, changed: 0, removed: 1 },
  ],
];

const says = (records: readonly DnsRecordState[]) =>
  records.map(({ name, type, ttl, content }) => `${name} ${ttl} ${type} ${content}`).toSorted();

describe.each(WRITES)('a dry run of %s', (_what, pick, rest, counts) => {
  let around: UseCaseContext;
  let recordId: string;
  const write = () => pick(dnsUseCases(around));

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
    recordId = (
      await dnsUseCases(around).addRecord.execute({
        ...COMMAND,
        draft: { type: 'A', name: 'www', content: '192.0.2.1' },
      })
    ).result.id;
  });

  it('returns what would change, and changes nothing', async () => {
    const [stored, announced] = [around.storage.tables, around.publisher.announced.length];

    const { change, zoneVersion } = await write().plan({ ...COMMAND, ...rest(recordId) });

    expect({ added: change.added.length, changed: change.changed.length, removed: change.removed.length }).toEqual(
      counts,
    );
    expect(zoneVersion).toBe(2);
    expect(around.storage.tables).toEqual(stored);
    expect(around.publisher.announced).toHaveLength(announced);
  });

  it('returns what the write then does', async () => {
    const { change } = await write().plan({ ...COMMAND, ...rest(recordId) });
    const removed = new Set([...change.removed, ...change.changed.map(({ before }) => before)].map(({ id }) => id));
    const kept = (around.storage.tables.zones.get('dom_1')?.records ?? []).filter(({ id }) => !removed.has(id));
    const written = [...change.added, ...change.changed.map(({ after }) => after)].map((record) => record.toState());
    const planned = says([...kept, ...written]);

    await write().execute({ ...COMMAND, ...rest(recordId) });

    expect(says(around.storage.tables.zones.get('dom_1')?.records ?? [])).toEqual(planned);
  });

  it('fails as the write would', async () => {
    const refused = { ...COMMAND, ...rest(recordId), ...STRANGER };

    await expect(write().plan(refused)).rejects.toMatchObject({ code: 'DOMAIN_NOT_FOUND' });
    await expect(write().plan({ ...COMMAND, ...rest(recordId), expectedVersions: [1] })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
  });
});

it('a dry run warns of new oddities, and not of existing ones', async () => {
  const around = new UseCaseContext();
  await around.givenDomain();
  const { addRecord } = dnsUseCases(around);

  const first = await addRecord.plan({ ...COMMAND, draft: MX });
  await addRecord.execute({ ...COMMAND, draft: MX });
  const second = await addRecord.plan({ ...COMMAND, draft: { type: 'A', name: 'www', content: '192.0.2.1' } });

  expect(first.warnings).toEqual(['MX at @ points to mail.example.com, which has no address in this zone']);
  expect(second.warnings).toEqual([]);
});
