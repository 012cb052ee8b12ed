import type { Requester } from '../../../../../src/domain/access/actor';
import type { KeyLimits } from '../../../../../src/domain/access/key-limits';
import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const REVERSE = '2.0.192.in-addr.arpa';
const A: RecordDraft = { type: 'A', name: 'www', content: '192.0.2.10', ptr: true };

function key(limits: KeyLimits): Requester {
  return { ...OURS, actor: { kind: 'key', id: 'AbC-dEf_0123', limits } };
}

describe('a record with ptr', () => {
  let around: UseCaseContext;
  const cases = () => dnsUseCases(around, { ...DEFAULT_ZONE_LIMITS, types: ALL_TYPES });
  const command = { ...OURS, domainId: 'dom_1' };
  const add = (draft: Partial<RecordDraft> = {}, requester: Requester = OURS) =>
    cases().addRecord.execute({ ...command, ...requester, draft: { ...A, ...draft } });
  const change = (recordId: string, patch: Partial<RecordDraft>, requester: Requester = OURS) =>
    cases().changeRecord.execute({ ...command, ...requester, recordId, patch });
  const remove = (recordId: string) => cases().removeRecord.execute({ ...command, recordId });
  const edit = (edits: Partial<Parameters<ReturnType<typeof cases>['editRecords']['execute']>[0]>) =>
    cases().editRecords.execute({ ...command, create: [], update: [], delete: [], ...edits });
  const byHand = (draft: Partial<RecordDraft>, domainId = 'dom_2') =>
    cases().addRecord.execute({
      ...OURS,
      domainId,
      draft: { type: 'PTR', name: '10', content: 'other.example.net.', ...draft },
    });
  const zone = (domainId: string) => around.storage.tables.zones.get(domainId);
  const reverse = (domainId = 'dom_2') =>
    zone(domainId)
      ?.records.map(({ name, type, content, managedBy }) => [name, type, content, managedBy ?? ''].join(' ').trim())
      .toSorted();

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1', name: 'example.com' });
    await around.givenDomain({ id: 'dom_2', name: REVERSE });
  });

  it('has a PTR record with its TTL in the reverse zone, in one version of each zone', async () => {
    const { result, warnings, reverseZones } = await add({ ttl: 300 });

    expect(result.toState()).toMatchObject({ ptr: true });
    expect(zone('dom_2')?.records).toMatchObject([
      { type: 'PTR', name: '10', content: 'www.example.com.', ttl: 300, managedBy: 'ptr' },
    ]);
    expect(warnings).toEqual([]);
    expect(reverseZones).toEqual([{ domainId: 'dom_2', zoneName: REVERSE, serial: 2 }]);
    expect([zone('dom_1')?.version, zone('dom_2')?.version]).toEqual([2, 2]);
    expect(around.publisher.announced.map(({ domainId }) => domainId)).toEqual(['dom_1', 'dom_2']);
  });

  it('has its PTR record audited in the name of the one who changed the address', async () => {
    await add();

    expect(around.auditEntries.map(({ actor, action, domain }) => [actor, action, domain?.name])).toEqual([
      [OURS.actor, 'records.added', 'example.com'],
      [OURS.actor, 'records.added', REVERSE],
    ]);
  });

  it('works for IPv6, and in the smallest reverse zone that holds the address', async () => {
    await around.givenDomain({ id: 'dom_3', name: '8.b.d.0.1.0.0.2.ip6.arpa' });
    await around.givenDomain({ id: 'dom_4', name: `0/26.${REVERSE}` });

    await add({ type: 'AAAA', content: '2001:DB8::1' });
    await add();

    expect(reverse('dom_3')).toEqual([`1${'.0'.repeat(23)} PTR www.example.com. ptr`]);
    expect(reverse('dom_4')).toEqual(['10 PTR www.example.com. ptr']);
    expect(reverse()).toEqual([]);
  });

  it('takes its PTR record along when its address, its name or its TTL changes', async () => {
    const { result } = await add();

    await change(result.id, { content: '192.0.2.11' });
    expect(reverse()).toEqual(['11 PTR www.example.com. ptr']);

    await change(result.id, { name: 'web' });
    expect(reverse()).toEqual(['11 PTR web.example.com. ptr']);

    await change(result.id, { ttl: 60 });
    expect(zone('dom_2')?.records).toMatchObject([{ ttl: 60 }]);
    expect(zone('dom_2')?.version).toBe(5);
  });

  it('takes its PTR record to another reverse zone', async () => {
    await around.givenDomain({ id: 'dom_3', name: '100.51.198.in-addr.arpa' });
    const { result } = await add();

    const { reverseZones } = await change(result.id, { content: '198.51.100.7' });

    expect([reverse('dom_2'), reverse('dom_3')]).toEqual([[], ['7 PTR www.example.com. ptr']]);
    expect(reverseZones.map(({ zoneName }) => zoneName)).toEqual([REVERSE, '100.51.198.in-addr.arpa']);
  });

  it('touches no reverse zone while neither address nor name nor TTL changes', async () => {
    const { result } = await add();

    const { reverseZones } = await change(result.id, { comment: 'Web server' });

    expect(reverseZones).toEqual([]);
    expect(zone('dom_2')?.version).toBe(2);
  });

  it('loses its PTR record when it is removed, when ptr is switched off, and when it gets another type', async () => {
    const { result: one } = await add();
    await remove(one.id);
    expect(reverse()).toEqual([]);

    const { result: other } = await add();
    await change(other.id, { ptr: false });
    expect(reverse()).toEqual([]);

    await change(other.id, { ptr: true });
    expect(reverse()).toEqual(['10 PTR www.example.com. ptr']);
    const { result } = await change(other.id, { type: 'CNAME', content: 'www.example.net.' });
    expect(result.toState().ptr).toBeUndefined();
    expect(reverse()).toEqual([]);
  });

  it('shares the PTR set of its address with other names', async () => {
    const { result } = await add();
    await add({ name: 'web' });
    expect(reverse()).toEqual(['10 PTR web.example.com. ptr', '10 PTR www.example.com. ptr']);

    await remove(result.id);
    expect(reverse()).toEqual(['10 PTR web.example.com. ptr']);
  });

  it('leaves a PTR record that was set by hand to another name, and says so', async () => {
    await byHand({});

    const { result, warnings } = await add();

    expect(result.toState()).toMatchObject({ ptr: true });
    expect(reverse()).toEqual(['10 PTR other.example.net.']);
    expect(warnings).toEqual([
      `No PTR record leads from 192.0.2.10 to www.example.com: 10.${REVERSE} has a PTR record that someone set to other.example.net., which stays`,
    ]);
  });

  it('leaves a PTR record that was set by hand to its own name, also when it is removed', async () => {
    await byHand({ content: 'www.example.com.' });

    const { result, warnings } = await add();
    await remove(result.id);

    expect(warnings).toEqual([]);
    expect(reverse()).toEqual(['10 PTR www.example.com.']);
  });

  it('leaves its PTR record to someone who changed it', async () => {
    const { result } = await add();
    const [ptr] = zone('dom_2')?.records ?? [];
    await cases().changeRecord.execute({
      ...OURS,
      domainId: 'dom_2',
      recordId: ptr?.id ?? '',
      patch: { content: 'mail.example.com.' },
    });

    const { warnings } = await change(result.id, { ttl: 60 });
    await remove(result.id);

    expect(warnings).toHaveLength(1);
    expect(reverse()).toEqual(['10 PTR mail.example.com.']);
  });

  it.each([
    [
      { type: 'CNAME', name: '10', content: `10.0/26.${REVERSE}.` },
      `10.${REVERSE} has a CNAME record to 10.0/26.${REVERSE}`,
    ],
    [{ type: 'NS', name: '10', content: 'ns.example.net.' }, `10.${REVERSE} is delegated to other nameservers`],
  ])('gets no PTR record beside a %o', async (draft, reason) => {
    await byHand(draft);

    const { warnings } = await add();

    expect(warnings).toEqual([`No PTR record leads from 192.0.2.10 to www.example.com: ${reason}`]);
    expect(zone('dom_2')?.records).toHaveLength(1);
  });

  it('is added without a PTR record if the reverse zone is full', async () => {
    const full = dnsUseCases(around, { ...DEFAULT_ZONE_LIMITS, recordsPerZone: 1 });
    await byHand({ name: '99' });

    const { warnings, reverseZones } = await full.addRecord.execute({ ...command, draft: A });

    expect(warnings).toEqual(['The PTR records could not be changed: A domain can have at most 1 record']);
    expect(reverseZones).toEqual([]);
    expect(zone('dom_1')?.records).toHaveLength(1);
  });

  it.each([
    ['no reverse zone holds the address', '198.51.100.1'],
    ['the reverse zone is of another account', '203.0.113.1'],
  ])('is refused if %s', async (_why, content) => {
    await around.givenDomain({ id: 'dom_3', accountId: STRANGER.accountId, name: '113.0.203.in-addr.arpa' });
    const details = `ptr needs the reverse zone of ${content}, which is not in this account`;

    await expect(add({ content })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    await expect(
      edit({
        create: [
          { ...A, name: 'a' },
          { ...A, content },
        ],
      }),
    ).rejects.toMatchObject({
      details: `create[1]: ${details}`,
    });
    const { result } = await add();
    await expect(change(result.id, { content, ptr: true })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details,
    });
    expect(zone('dom_1')?.records).toMatchObject([{ content: '192.0.2.10' }]);
    expect(reverse('dom_3')).toEqual([]);
  });

  it('keeps ptr while its address has no reverse zone, unless the request asks for it', async () => {
    const { result } = await add();

    const { warnings } = await change(result.id, { content: '198.51.100.1' });
    expect(warnings).toEqual([
      'No PTR record leads from 198.51.100.1 to www.example.com: it needs the reverse zone of 198.51.100.1, which is not in this account',
    ]);
    expect(reverse()).toEqual([]);

    await change(result.id, { content: '192.0.2.12' });
    expect(reverse()).toEqual(['12 PTR www.example.com. ptr']);
  });

  it.each([
    [{ type: 'TXT', content: 'text' }, 'ptr is for A and AAAA records'],
    [{ name: '*' }, 'ptr is not possible at a wildcard name'],
  ])('can be no %o', async (draft, details) => {
    await expect(add(draft)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it('cannot stand in a reverse zone', async () => {
    const details = 'ptr is not possible in a reverse zone';

    await expect(byHand({ ...A })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it('needs a key that may change PTR records of the reverse zone', async () => {
    const details = `ptr needs a key or role that may change PTR records of ${REVERSE}`;

    await expect(add({}, key({ types: ['A'] }))).rejects.toMatchObject({ details });
    await expect(add({}, key({ domains: ['example.com'] }))).rejects.toMatchObject({
      details: 'ptr needs the reverse zone of 192.0.2.10, which is not in this account',
    });
    await add({}, key({ types: ['A', 'PTR'] }));
    expect(reverse()).toEqual(['10 PTR www.example.com. ptr']);
  });

  it('loses its PTR record by a key that may not see the reverse zone, and gets none by it', async () => {
    const limited = key({ domains: ['example.com'] });
    const { result } = await add();

    const { warnings } = await change(result.id, { content: '192.0.2.11' }, limited);

    expect(reverse()).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it('keeps its PTR record over a batch that gives its name to another address', async () => {
    const { result } = await add();
    const create = [
      { ...A, name: 'a' },
      { ...A, name: 'b', content: '192.0.2.11' },
    ];

    const { result: made } = await edit({ create, update: [{ id: result.id, patch: { content: '192.0.2.12' } }] });

    expect(made.added).toHaveLength(2);
    expect(reverse()).toEqual([
      '10 PTR a.example.com. ptr',
      '11 PTR b.example.com. ptr',
      '12 PTR www.example.com. ptr',
    ]);
    expect(zone('dom_2')?.version).toBe(3);
  });

  it('follows a zone file that gives its name another address', async () => {
    await add();

    await cases().importZoneFile.execute({ ...command, text: 'www 3600 IN A 192.0.2.20\n' });

    expect(zone('dom_1')?.records).toMatchObject([{ content: '192.0.2.20', ptr: true }]);
    expect(reverse()).toEqual(['20 PTR www.example.com. ptr']);
  });

  it('gets its PTR record back when the zone is rolled back', async () => {
    const { result, zoneVersion } = await add();
    await remove(result.id);

    await cases().restoreVersion.execute({ ...command, version: zoneVersion });

    expect(zone('dom_1')?.records).toMatchObject([{ ptr: true }]);
    expect(reverse()).toEqual(['10 PTR www.example.com. ptr']);
  });

  it('tells in a dry run why it would have no PTR record, and changes nothing', async () => {
    await byHand({});

    const { warnings } = await cases().addRecord.plan({ ...command, draft: A });

    expect(warnings).toEqual([expect.stringContaining('which stays')]);
    expect([zone('dom_1')?.records, zone('dom_2')?.records]).toMatchObject([[], [{}]]);
    await expect(
      cases().addRecord.plan({ ...command, draft: { ...A, content: '198.51.100.1' } }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is written in order with changes of its zone that arrive together', async () => {
    const { addRecord } = cases();
    const drafts = [
      { ...A, name: 'a', ptr: false },
      { ...A, name: 'b' },
      { ...A, name: 'c', ptr: false },
    ];

    const written = await Promise.all(drafts.map((draft) => addRecord.execute({ ...command, draft })));

    expect(written.map(({ zoneVersion }) => zoneVersion)).toEqual([2, 3, 4]);
    expect(reverse()).toEqual(['10 PTR b.example.com. ptr']);
  });
});
