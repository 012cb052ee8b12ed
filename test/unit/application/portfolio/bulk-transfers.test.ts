import { createSecretKey } from 'node:crypto';
import type { BulkRequesters } from '../../../../src/application/portfolio/bulk/bulk-requesters';
import { RetryBulkJob } from '../../../../src/application/portfolio/bulk/retry-bulk-job';
import { ReviewedTransfers } from '../../../../src/application/portfolio/transfers/reviewed-transfers';
import { ReviewTransfers } from '../../../../src/application/portfolio/transfers/review-transfers';
import { RunBulkTransfer } from '../../../../src/application/portfolio/transfers/run-bulk-transfer';
import { StartBulkTransfers } from '../../../../src/application/portfolio/transfers/start-bulk-transfers';
import type { BulkItem, BulkJob, TransferAction } from '../../../../src/domain/portfolio/bulk-job';
import { ValidationError } from '../../../../src/domain/shared/validation-error';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { A_REGISTRANT } from '../../../support/data/a-domain';
import { pass } from '../../../support/use-cases/registration-scenario';
import { HOUR_MS, TransferScenario } from '../../../support/use-cases/transfer-scenario';
import { OURS, STRANGER, type UseCaseContext } from '../../../support/use-cases/use-case-context';

const NAMES = ['one.com', 'two.com', 'three.com'];
const codeOf = (name: string): string => `Sesame of ${name}`;
const ACTION: TransferAction = { kind: 'transfer', registrant: A_REGISTRANT, autoRenew: true };

describe('bulk transfers', () => {
  let transfer: TransferScenario;
  let around: UseCaseContext;
  let run: RunBulkTransfer;
  let start: StartBulkTransfers;
  let reviewed: ReviewedTransfers;
  let review: ReviewTransfers;

  beforeEach(() => {
    transfer = new TransferScenario();
    ({ around } = transfer);
    const { storage, clock, log, ids, tlds } = around;
    const secrets = new AesSecretBox(createSecretKey(Buffer.alloc(32, 1)));
    const requesters = { of: async () => OURS } as unknown as BulkRequesters;
    run = new RunBulkTransfer(
      transfer.scenario.requestTransfer,
      storage.transfers,
      requesters,
      storage,
      secrets,
      clock,
      log,
    );
    start = new StartBulkTransfers(tlds, storage, secrets, ids, clock);
    reviewed = new ReviewedTransfers(secrets, clock);
    review = new ReviewTransfers(transfer.scenario.transferOrders, reviewed);
    for (const name of NAMES) around.registry.holdElsewhere(name, codeOf(name), {});
  });
  afterEach(() => transfer.close());

  const begin = (codes: Readonly<Record<string, string>> = {}): Promise<BulkJob> =>
    start.execute({
      ...OURS,
      orders: NAMES.map((name) => ({ name, authCode: codes[name] ?? codeOf(name) })),
      registrant: A_REGISTRANT,
    });
  const waiting = ({ id }: BulkJob): Promise<readonly BulkItem[]> => around.storage.bulkJobs.items(id, 'waiting', 100);
  /** As the runner, until no item waits. */
  const finish = async (job: BulkJob): Promise<void> => {
    for (let items = await waiting(job); items.length > 0; items = await waiting(job)) {
      for (const item of items) await run.execute(job, ACTION, item);
      await pass(around, 1_000);
    }
  };
  const sent = (): readonly string[] =>
    around.registry
      .callsOf('requestTransfer')
      .map(({ name }) => name ?? '')
      .toSorted();

  it('are done when the registry has accepted each, once, with its own auth code', async () => {
    const job = await begin();

    await finish(job);

    expect(await around.storage.bulkJobs.counts(job.id)).toEqual({ waiting: 0, done: 3, failed: 0 });
    expect(sent()).toEqual(NAMES.toSorted());
    expect(transfer.transfers().map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  it('store auth codes sealed, and erase each with the transaction that stores its transfer', async () => {
    await transfer.scenario.transfers.stop();
    const job = await begin();
    const [first] = await waiting(job);
    expect(first?.sealedAuthCode).toMatch(/^v1\./);

    for (const item of await waiting(job)) await run.execute(job, ACTION, item);

    const items = await waiting(job);
    expect(items.map(({ sealedAuthCode }) => sealedAuthCode)).toEqual([undefined, undefined, undefined]);
    const stored = JSON.stringify([transfer.transfers(), items, around.auditEntries, around.log.entries]);
    expect(stored).not.toContain('Sesame');
    expect(sent()).toEqual([]);
  });

  it('are neither requested twice nor lost if the process is killed after any of them', async () => {
    const job = await begin();
    const [first, second] = await waiting(job);
    if (!first || !second) throw new Error('no items');
    await run.execute(job, ACTION, first);
    await Promise.all([run.execute(job, ACTION, second), run.execute(job, ACTION, second)]);
    // A process that read them before the other one requested them.
    await run.execute(job, ACTION, first);
    transfer.restart();

    await finish(job);

    expect(sent()).toEqual(NAMES.toSorted());
    expect(await around.storage.bulkJobs.counts(job.id)).toEqual({ waiting: 0, done: 3, failed: 0 });
  });

  it('wait while the registry is unavailable, and fail after a day', async () => {
    const job = await begin();
    const [item] = await waiting(job);
    if (!item) throw new Error('no item');
    around.registry.next('info').isUnreachable();
    const waits = run.execute(job, ACTION, item);
    await pass(around, 60_000);

    expect(await waits).toBe(true);

    around.clock.advance({ days: 1 });
    around.registry.next('info').isUnreachable();
    const fails = run.execute(job, ACTION, item);
    await pass(around, 60_000);
    expect(await fails).toBe(false);
    expect((await around.storage.bulkJobs.items(job.id, 'failed', 9))[0]).toMatchObject({
      error: { code: 'REGISTRY_UNAVAILABLE' },
    });
  });

  it('fail each for its own reason: a name that is here, a wrong auth code, a higher price', async () => {
    await around.givenDomain({ id: 'dom_1', name: 'here.com' });
    const orders = [
      { name: 'here.com', authCode: 'x' },
      { name: 'one.com', authCode: 'wrong' },
      { name: 'two.com', authCode: codeOf('two.com'), maxPrice: { minor: 1, currency: 'USD' } },
      { name: 'three.com', authCode: codeOf('three.com') },
    ];
    const job = await start.execute({ ...OURS, orders, registrant: A_REGISTRANT });

    await finish(job);

    const failed = await around.storage.bulkJobs.items(job.id, 'failed', 9);
    expect(new Map(failed.map(({ name, error }) => [name, error?.code]))).toEqual(
      new Map([
        ['here.com', 'DOMAIN_STATUS_CONFLICT'],
        ['one.com', 'REGISTRY_REJECTED'],
        ['two.com', 'REGISTRY_REJECTED'],
      ]),
    );
    expect(failed.map(({ sealedAuthCode }) => sealedAuthCode)).toEqual([undefined, undefined, undefined]);
    expect((await around.storage.bulkJobs.counts(job.id)).done).toBe(1);
    await pass(around, HOUR_MS);
  });

  it('cannot be retried or undone as a job, because their auth codes are gone', async () => {
    const job = await begin({ 'one.com': 'wrong' });
    await finish(job);
    const { storage, ids, clock } = around;
    const retry = new RetryBulkJob(storage.bulkJobs, undefined as never, storage, ids, clock);

    await expect(retry.execute({ ...OURS, jobId: job.id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(retry.undo({ ...OURS, jobId: job.id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('need a second person as a whole if together they cost more than the rules allow', async () => {
    const over = { minor: 1_000, currency: 'USD' };
    const actor = { kind: 'user', id: 'usr_1', approvalRules: [{ changes: ['purchases'] as const, over }] } as const;
    const order = (minor: number) => ({ name: `of-${minor}.com`, authCode: 'x', maxPrice: { ...over, minor } });
    const started = (prices: readonly number[]) =>
      start.execute({ ...OURS, actor, orders: prices.map(order), registrant: A_REGISTRANT });

    await started([400, 600]);
    await expect(started([400, 601])).rejects.toMatchObject({ attempted: { kind: 'bulk_transfer' } });
  });

  describe('that are reviewed', () => {
    const text = `${NAMES.map((name) => `${name},${codeOf(name)}`).join('\n')}\nno-one-has-this.com,x\nS3cret`;
    const command = { ...OURS, text, registrant: A_REGISTRANT, autoRenew: true };

    it('are priced by line, and keep the auth codes sealed for the person who reviewed them, for fifteen minutes', async () => {
      const { accepted, refused, total, sealed } = await review.execute(command);

      expect(accepted.map(({ line, name }) => [line, name])).toEqual(NAMES.map((name, index) => [index + 1, name]));
      expect(refused).toEqual([
        { line: 4, name: 'no-one-has-this.com', reason: expect.stringContaining('is not registered') },
        { line: 5, name: '', reason: expect.stringContaining('must be a domain name') },
      ]);
      expect(total).toEqual({ minor: 36_00, currency: 'USD' });
      expect(JSON.stringify([accepted, refused, sealed])).not.toMatch(/Sesame|S3cret/);
      expect(reviewed.open(OURS, sealed).orders.map(({ authCode }) => authCode)).toEqual(NAMES.map(codeOf));
      expect(() => reviewed.open(STRANGER, sealed)).toThrow(ValidationError);
      around.clock.advance({ ms: 15 * 60_000 });
      expect(() => reviewed.open(OURS, sealed)).toThrow(ValidationError);
    });

    it('are ordered once', async () => {
      const { orders, total: _total, ...opened } = reviewed.open(OURS, (await review.execute(command)).sealed);
      const order = () => start.execute({ ...OURS, orders, registrant: A_REGISTRANT, review: opened });

      await order();

      await expect(order()).rejects.toMatchObject({ issues: [{ path: 'quote_id' }] });
    });
  });
});
