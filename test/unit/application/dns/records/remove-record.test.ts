import { dnsUseCases } from '../../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

describe('removing a record', () => {
  let around: UseCaseContext;
  let recordId: string;
  const add = async (content: string) =>
    (
      await dnsUseCases(around).addRecord.execute({
        ...OURS,
        domainId: 'dom_1',
        draft: { type: 'A', name: 'www', content },
      })
    ).result.id;
  const remove = (rest: object = {}) =>
    dnsUseCases(around).removeRecord.execute({ ...OURS, domainId: 'dom_1', recordId, ...rest });
  const contents = () => around.storage.tables.zones.get('dom_1')?.records.map(({ content }) => content);

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain();
    recordId = await add('192.0.2.1');
    await add('192.0.2.2');
  });

  it('removes the record, raises the version of the zone and sends NOTIFY', async () => {
    const { zoneVersion } = await remove();

    expect(contents()).toEqual(['192.0.2.2']);
    expect(zoneVersion).toBe(4);
    expect(around.publisher.announced.at(-1)).toEqual({ domainId: 'dom_1', zoneName: 'example.com', serial: 4 });
  });

  it('records what was removed', async () => {
    await remove();

    expect(around.auditEntries.at(-1)).toMatchObject({
      ...OURS,
      action: 'records.removed',
      before: { records: ['www 3600 A 192.0.2.1'] },
      after: {},
    });
  });

  it('allows the same record to be added again', async () => {
    await remove();

    await add('192.0.2.1');

    expect(contents()).toEqual(['192.0.2.2', '192.0.2.1']);
  });

  it('works once: a removed record is not found', async () => {
    const attempts = await Promise.allSettled([remove(), remove()]);

    expect(
      attempts.map((attempt) => (attempt.status === 'fulfilled' ? 'removed' : (attempt.reason as Error).name)),
    ).toEqual(['removed', 'RecordNotFound']);
    expect(around.storage.tables.zones.get('dom_1')?.version).toBe(4);
  });

  it.each<[string, string, object]>([
    ['that is not there', 'RECORD_NOT_FOUND', { recordId: 'rec_unknown' }],
    ['through another domain of the account', 'RECORD_NOT_FOUND', { domainId: 'dom_2' }],
    ["of another account's domain", 'DOMAIN_NOT_FOUND', STRANGER],
    ['of a domain that was transferred out', 'DOMAIN_STATUS_CONFLICT', { domainId: 'dom_left' }],
  ])('refuses to remove one %s, and changes nothing', async (_which, code, rest) => {
    await around.givenDomain({ id: 'dom_2', name: 'other.com' });
    await around.givenDomain({ id: 'dom_left', name: 'left.com', status: 'transferred_out' });
    const [before, announced] = [around.storage.tables, [...around.publisher.announced]];

    await expect(remove(rest)).rejects.toMatchObject({ code });

    expect(around.storage.tables).toEqual(before);
    expect(around.publisher.announced).toEqual(announced);
  });
});
