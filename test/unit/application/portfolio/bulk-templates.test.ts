import { TemplateLibrary } from '../../../../src/application/dns/templates/template-library';
import { BulkActions } from '../../../../src/application/portfolio/bulk/bulk-actions';
import type { BulkRequesters } from '../../../../src/application/portfolio/bulk/bulk-requesters';
import { JudgeBulkRecords } from '../../../../src/application/portfolio/bulk/judge-bulk-records';
import { RetryBulkJob } from '../../../../src/application/portfolio/bulk/retry-bulk-job';
import { RunBulkItem } from '../../../../src/application/portfolio/bulk/run-bulk-item';
import { StartBulkJob } from '../../../../src/application/portfolio/bulk/start-bulk-job';
import type { Actor } from '../../../../src/domain/access/actor';
import type { BulkDomainAction, BulkItem, BulkJob } from '../../../../src/domain/portfolio/bulk-job';
import { dnsUseCases, type DnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { OURS, UseCaseContext } from '../../../support/use-cases/use-case-context';

const ACTION = { kind: 'template', templateId: 'tpl_1', values: {} } as const;
const PLAIN = 'www 300 A 192.0.2.1';
const MAIL = '@ 300 MX 10 mail.example.net.';
const actor: Actor = { kind: 'user', id: 'usr_1', approvalRules: [{ changes: ['records'], types: ['MX'] }] };
const UNDER_RULES = { accountId: OURS.accountId, actor };

describe('a job that applies a template', () => {
  let around: UseCaseContext;
  let dns: DnsUseCases;
  let start: StartBulkJob;
  let retry: RetryBulkJob;
  let runItem: RunBulkItem;

  beforeEach(async () => {
    around = new UseCaseContext();
    const { storage, ids, clock, log } = around;
    for (const index of [1, 2]) await around.givenDomain({ id: `dom_${index}`, name: `template-${index}.com` });
    dns = dnsUseCases(around);
    const { applyTemplate: template, importZoneFile: zoneFile, restoreVersion: rollBack } = dns;
    const none = undefined as never;
    const judge = new JudgeBulkRecords(template, zoneFile, rollBack);
    const library = new TemplateLibrary(storage.templates);
    start = new StartBulkJob(none, library, judge, storage, ids, clock);
    retry = new RetryBulkJob(storage.bulkJobs, start, storage, ids, clock);
    const actions = new BulkActions(none, none, none, none, none, { template, zoneFile, rollBack }, none);
    const requesters = { of: async () => OURS } as unknown as BulkRequesters;
    runItem = new RunBulkItem(actions, requesters, none, storage.operations, storage, log);
    const [at, { accountId }] = [clock.now(), OURS];
    const own = { id: 'tpl_1', accountId, name: 'Own', description: '', records: PLAIN, createdAt: at, updatedAt: at };
    await storage.run(({ templates }) => templates.add(own));
  });

  const change = (records: string) =>
    around.storage.run(async ({ templates }) => {
      const template = await templates.find(OURS.accountId, 'tpl_1');
      if (template) await templates.save({ ...template, records });
    });
  const begin = async (requester = OURS, ids: readonly string[] = ['dom_1', 'dom_2']): Promise<BulkJob> => {
    const action = await start.validate(requester, ACTION);
    return start.start({ ...requester, action, domains: ids.map((domainId) => ({ domainId, name: domainId })) });
  };
  const items = ({ id }: BulkJob, state: BulkItem['state']) => around.storage.bulkJobs.items(id, state, 9);
  const run = async (job: BulkJob): Promise<void> => {
    for (const item of await items(job, 'waiting')) await runItem.execute(job, job.action as BulkDomainAction, item);
  };
  const namesIn = async (domainId: string): Promise<readonly string[]> =>
    (await dns.listRecords.page(OURS, domainId, {}, 100)).records
      .filter(({ type }) => type !== 'NS')
      .map(({ name, type }) => `${name} ${type}`);

  it('adds the records that the template had when it was started', async () => {
    const job = await begin();
    await change(MAIL);

    await run(job);

    expect(await items(job, 'done')).toHaveLength(2);
    expect([await namesIn('dom_1'), await namesIn('dom_2')]).toEqual([['www A'], ['www A']]);
  });

  describe('in an account whose rules name records', () => {
    it('needs a second person as a whole if a rule names a record that it changes', async () => {
      await change(MAIL);

      await expect(begin(UNDER_RULES)).rejects.toMatchObject({
        attempted: { kind: 'bulk', action: ACTION, domainIds: ['dom_1', 'dom_2'] },
      });
    });

    it('needs none otherwise, and changes zones only in the versions that were judged', async () => {
      const job = await begin(UNDER_RULES);
      const draft = { type: 'MX', name: '@', content: 'mail.example.net', priority: 10, ttl: 300 };
      await dns.addRecord.execute({ ...OURS, domainId: 'dom_2', draft });

      await run(job);

      expect(await items(job, 'done')).toMatchObject([{ domainId: 'dom_1' }]);
      expect(await items(job, 'failed')).toMatchObject([{ domainId: 'dom_2', error: { code: 'PRECONDITION_FAILED' } }]);
      expect(await namesIn('dom_2')).toEqual(['@ MX']);
    });

    it('is retried in any version of the zone, by a second person', async () => {
      const job = await begin(UNDER_RULES, ['dom_2']);
      const draft = { type: 'A', name: 'shop', content: '192.0.2.9', ttl: 300 };
      await dns.addRecord.execute({ ...OURS, domainId: 'dom_2', draft });
      await run(job);
      await around.storage.run(({ bulkJobs }) => bulkJobs.save({ ...job, finishedAt: around.clock.now() }));
      await expect(retry.execute({ ...UNDER_RULES, jobId: job.id })).rejects.toMatchObject({
        attempted: { kind: 'bulk_retry', jobId: job.id },
      });

      await retry.execute({ ...OURS, jobId: job.id });
      await run(job);

      expect((await namesIn('dom_2')).toSorted()).toEqual(['shop A', 'www A']);
    });

    it('is undone without a second person unless a rule names a record that this changes', async () => {
      const plain = await begin();
      await run(plain);
      await retry.undo({ ...UNDER_RULES, jobId: plain.id }).then(run);
      expect(await namesIn('dom_1')).toEqual([]);
      await change(MAIL);
      const mail = await begin();
      await run(mail);

      await expect(retry.undo({ ...UNDER_RULES, jobId: mail.id })).rejects.toMatchObject({
        attempted: { kind: 'bulk_undo', jobId: mail.id },
      });
    });

    it('is judged as a whole if it changes more zones than are read', async () => {
      const ids = Array.from({ length: 201 }, (_, index) => `dom_${index + 1}`);

      await expect(begin(UNDER_RULES, ids)).rejects.toMatchObject({ attempted: { kind: 'bulk' } });
    });
  });
});
