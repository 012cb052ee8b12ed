import type { RecordDraft } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';
import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const LIMITS = { ...DEFAULT_ZONE_LIMITS, types: ALL_TYPES };
const DS = { type: 'DS', content: `2371 13 2 ${'ab'.repeat(32)}` };
const NS = { type: 'NS', content: 'ns1.example.net' };
const DNAME = { type: 'DNAME', content: 'other.example.net.' };
const A = { type: 'A', content: '192.0.2.1' };

describe('records that conflict with others', () => {
  let around: UseCaseContext;
  const cases = () => dnsUseCases(around, LIMITS);
  const add = async (draft: Omit<RecordDraft, 'name'>, name: string) =>
    (await cases().addRecord.execute({ ...OURS, domainId: 'dom_1', draft: { ...draft, name } })).result.id;
  const edit = (create: readonly RecordDraft[], removed: readonly string[] = []) =>
    cases().editRecords.execute({ ...OURS, domainId: 'dom_1', create, update: [], delete: removed });

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
  });

  it('may be DS records at a delegation', async () => {
    await add(NS, 'sub');

    await expect(add(DS, 'sub')).resolves.toMatch(/^rec_/);
    await expect(
      edit([
        { ...NS, name: 'new' },
        { ...DS, name: 'new' },
      ]),
    ).resolves.toBeDefined();
  });

  it('refuses DS records without NS records at their name', async () => {
    await add(NS, 'sub');

    await expect(add(DS, 'www')).rejects.toMatchObject({
      code: 'RECORD_CONFLICT',
      details: 'DS records need NS records at the same name, and www would have none',
    });
    await expect(add(DS, 'a.sub')).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
  });

  it('refuses DS records at the apex', async () => {
    await add(NS, '@');

    await expect(add(DS, '@')).rejects.toMatchObject({
      code: 'RECORD_CONFLICT',
      details: 'DS records of the apex belong to the parent zone: the registry publishes them',
    });
  });

  it('refuses to remove the last NS record of a name with DS records', async () => {
    const first = await add(NS, 'sub');
    const second = await add({ ...NS, content: 'ns2.example.net' }, 'sub');
    const signer = await add(DS, 'sub');
    await edit([], [first]);

    await expect(edit([], [second])).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    await expect(
      cases().changeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: second, patch: { name: 'away' } }),
    ).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    await expect(edit([], [second, signer])).resolves.toBeDefined();
  });

  it.each([
    ['at the apex, beside NS records', '@', NS, '@', true],
    ['beside an address', 'x', A, 'x', true],
    ['beside NS records', 'x', NS, 'x', false],
    ['beside a CNAME', 'x', { type: 'CNAME', content: 'example.net' }, 'x', false],
    ['beside another DNAME', 'x', { ...DNAME, content: 'third.example.net.' }, 'x', false],
    ['above a name', 'x', A, 'a.b.x', false],
    ['above a wildcard', 'x', A, '*.x', false],
    ['at the apex above a name', '@', A, 'www', false],
    ['beside names that only look alike', 'x', A, 'a.bx', true],
    ['below a name', 'a.x', A, 'x', true],
  ] as const)('decides about a DNAME %s in both orders', async (_case, owner, other, name, isAllowed) => {
    for (const order of ['DNAME last', 'DNAME first', 'together'] as const) {
      around = new UseCaseContext();
      await around.givenDomain();
      const drafts = [
        { ...other, name },
        { ...DNAME, name: owner },
      ];
      const [first, second] = order === 'DNAME first' ? drafts.toReversed() : drafts;
      if (order !== 'together') await edit(first ? [first] : []);

      const attempt = edit(order === 'together' ? drafts : second ? [second] : []);

      if (isAllowed) await expect(attempt).resolves.toBeDefined();
      else await expect(attempt).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    }
  });

  it('refuses a DNAME at a wildcard', async () => {
    await expect(add(DNAME, '*.x')).rejects.toMatchObject({ code: 'INVALID_RECORD_NAME' });
  });
});
