import { BulkActions } from '../../../../src/application/portfolio/bulk/bulk-actions';
import { JudgeBulkRecords } from '../../../../src/application/portfolio/bulk/judge-bulk-records';
import type { BulkRequesters } from '../../../../src/application/portfolio/bulk/bulk-requesters';
import { RunBulkItem } from '../../../../src/application/portfolio/bulk/run-bulk-item';
import { StartBulkJob } from '../../../../src/application/portfolio/bulk/start-bulk-job';
import { StartBulkZoneFiles } from '../../../../src/application/portfolio/zone-files/start-bulk-zone-files';
import { FindDomain } from '../../../../src/application/registration/find-domain';
import type { Actor } from '../../../../src/domain/access/actor';
import type { BulkItem, BulkJob, ZoneFilesAction } from '../../../../src/domain/portfolio/bulk-job';
import { dnsUseCases, type DnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const ACTION: ZoneFilesAction = { kind: 'zone_files', mode: 'replace', withProviderRecords: false };
const NAMES = ['one.com', 'two.com'];
const TEXT = 'www 300 IN A 192.0.2.1\n';

describe('a job that imports zone files', () => {
  let around: UseCaseContext;
  let dns: DnsUseCases;
  let start: StartBulkZoneFiles;
  let run: RunBulkItem;

  beforeEach(async () => {
    around = new UseCaseContext();
    const { storage, ids, clock, log } = around;
    for (const [index, name] of NAMES.entries()) await around.givenDomain({ id: `dom_${index + 1}`, name });
    dns = dnsUseCases(around);
    const findDomain = new FindDomain(storage.domains);
    const none = undefined as never;
    const judge = new JudgeBulkRecords(none, dns.importZoneFile, none);
    const jobs = new StartBulkJob(none, none, judge, storage, ids, clock);
    start = new StartBulkZoneFiles(findDomain, jobs);
    const records = { template: dns.applyTemplate, zoneFile: dns.importZoneFile, rollBack: dns.restoreVersion };
    const actions = new BulkActions(none, none, none, none, none, records, findDomain);
    const requesters = { of: async () => OURS } as unknown as BulkRequesters;
    run = new RunBulkItem(actions, requesters, none, storage.operations, storage, log);
  });

  const begin = (files: readonly { readonly name: string; readonly text: string; readonly version?: number }[]) =>
    start.execute({ ...OURS, files });
  const items = ({ id }: BulkJob, state: BulkItem['state']): Promise<readonly BulkItem[]> =>
    around.storage.bulkJobs.items(id, state, 9);
  const imported = async (domainId: string): Promise<readonly string[]> =>
    (await dns.listRecords.page(OURS, domainId, {}, 100)).records
      .filter(({ type }) => type === 'A')
      .map(({ name }) => name);

  it('erases each file with the transaction that imports it, and when it has failed', async () => {
    const job = await begin([
      { name: 'one.com', text: TEXT },
      { name: 'TWO.com', text: 'www IN A nowhere\n' },
    ]);
    const waiting = await items(job, 'waiting');
    expect(waiting.map(({ ownAction }) => ownAction)).toMatchObject([{ text: TEXT }, { kind: 'zone_file' }]);

    for (const item of waiting) await run.execute(job, ACTION, item);

    const [done] = await items(job, 'done');
    const [failed] = await items(job, 'failed');
    expect(done).toMatchObject({ name: 'one.com', ownAction: null, undo: { kind: 'roll_back' } });
    expect(failed).toMatchObject({
      name: 'two.com',
      ownAction: null,
      error: { details: expect.stringMatching(/line 1/) },
    });
    expect(await imported('dom_1')).toEqual(['www']);
    expect(await imported('dom_2')).toEqual([]);
  });

  it('imports a file once, although a killed process has read it before another one imported it', async () => {
    const job = await begin([{ name: 'one.com', text: TEXT }]);
    const [item] = await items(job, 'waiting');
    if (!item) throw new Error('no item');
    await run.execute(job, ACTION, item);
    const [record] = (await dns.listRecords.page(OURS, 'dom_1', {}, 100)).records;
    if (!record) throw new Error('no record');
    await dns.removeRecord.execute({ ...OURS, domainId: 'dom_1', recordId: record.id });

    await run.execute(job, ACTION, item);

    expect(await imported('dom_1')).toEqual([]);
  });

  it('has nothing to undo in a zone that had the records already', async () => {
    const [first, second] = [
      await begin([{ name: 'one.com', text: TEXT }]),
      await begin([{ name: 'one.com', text: TEXT }]),
    ];
    for (const job of [first, second])
      for (const item of await items(job, 'waiting')) await run.execute(job, ACTION, item);

    expect((await items(first, 'done')).map(({ undo }) => undo !== null)).toEqual([true]);
    expect((await items(second, 'done')).map(({ undo }) => undo)).toEqual([null]);
  });

  describe('in an account whose rules name records', () => {
    const actor: Actor = { kind: 'user', id: 'usr_1', approvalRules: [{ changes: ['records'], types: ['MX'] }] };
    const startAs = (files: Parameters<typeof begin>[0]) =>
      start.execute({ accountId: OURS.accountId, actor, files, mode: 'replace' });
    const MAIL = '@ 300 IN MX 10 mail.example.net.\n';

    it('needs a second person as a whole if a rule names one of its changes, with the versions that were given', async () => {
      const files = [
        { name: 'one.com', text: TEXT, version: 0 },
        { name: 'two.com', text: MAIL },
      ];

      await expect(startAs(files)).rejects.toMatchObject({
        attempted: { kind: 'bulk_zone_files', action: ACTION, files },
      });
    });

    it('needs one for the removal of a record that a rule names', async () => {
      const job = await begin([{ name: 'one.com', text: MAIL }]);
      for (const item of await items(job, 'waiting')) await run.execute(job, ACTION, item);

      await expect(startAs([{ name: 'one.com', text: TEXT }])).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    });

    it('needs none otherwise, and changes zones only in the versions that were judged', async () => {
      const job = await startAs([
        { name: 'one.com', text: TEXT },
        { name: 'two.com', text: TEXT },
      ]);
      const record = { type: 'MX', name: '@', content: 'mail.example.net', priority: 10, ttl: 300 };
      await dns.addRecord.execute({ ...OURS, domainId: 'dom_2', draft: record });

      for (const item of await items(job, 'waiting')) await run.execute(job, ACTION, item);

      expect(await items(job, 'done')).toMatchObject([{ name: 'one.com' }]);
      expect(await items(job, 'failed')).toMatchObject([{ name: 'two.com', error: { code: 'PRECONDITION_FAILED' } }]);
      expect([await imported('dom_1'), await imported('dom_2')]).toEqual([['www'], []]);
    });

    it('needs one if a file would be refused now, because it could be accepted when the job runs', async () => {
      await expect(startAs([{ name: 'one.com', text: 'www IN A nowhere\n' }])).rejects.toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
      });
    });
  });
});
