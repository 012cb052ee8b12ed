import { createSecretKey } from 'node:crypto';
import { DailyQuotas } from '../../../../src/application/quotas/daily-quotas';
import { IdempotentRequests } from '../../../../src/application/idempotency/idempotent-requests';
import { AesSecretBox } from '../../../../src/infrastructure/system/aes-secret-box';
import { dnsUseCases, type DnsUseCases } from '../../../support/use-cases/dns-use-cases';
import { OURS, STRANGER, UseCaseContext } from '../../../support/use-cases/use-case-context';

const DAY = new Date('2026-06-01T00:00:00.000Z');
const REFUSED = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests' };
const command = (name: string) => ({
  ...OURS,
  domainId: 'dom_1',
  draft: { type: 'A', name, content: '192.0.2.1' },
});
const fiveRecords = (index: number) =>
  Array.from({ length: 5 }, (_, row) => `r${row} 300 A 192.0.2.${index}\n`).join('');
const request = (key: string) => ({ accountId: OURS.accountId, key, fingerprint: 'a'.repeat(64) });

describe('the daily quota of zone history', () => {
  let around: UseCaseContext;
  let dns: DnsUseCases;
  const add = (name: string) => dns.addRecord.execute(command(name));

  beforeEach(async () => {
    around = new UseCaseContext();
    around.quotaLimits['zone history'] = 1_000;
    await around.givenDomain({ id: 'dom_1' });
    dns = dnsUseCases(around);
  });

  it('refuses changes of records above it until the next day in UTC and changes nothing, but still plans them', async () => {
    around.clock.advance({ ms: 22 * 3_600_000 });
    for (const name of ['a', 'b', 'c']) await add(name);
    const before = around.storage.tables;

    await expect(add('d')).rejects.toMatchObject({ ...REFUSED, retryAfterSeconds: 7_200 });
    const after = around.storage.tables;
    const { change } = await dns.addRecord.plan(command('d'));
    around.clock.advance({ ms: 2 * 3_600_000 });
    await add('d');

    expect(after).toBe(before);
    expect(change.added).toHaveLength(1);
  });

  it('counts what other processes have written, which see what this one has written', async () => {
    const other = new DailyQuotas(around.dailyUsage, around.quotaLimits, around.clock, around.log);
    await add('a');
    await around.quotas.write();
    const written = await around.dailyUsage.total(DAY, OURS.accountId, 'zone history');
    await other.assertBelow(OURS.accountId, 'zone history');
    other.count(OURS.accountId, 'zone history', 1_000);
    await other.write();
    await add('b');
    await around.quotas.write();

    await expect(add('c')).rejects.toMatchObject(REFUSED);
    expect(written).toBeGreaterThan(0);
  });

  it('refuses zone files that wait for their turn when those before them have reached it', async () => {
    const imports = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        dns.importZoneFile.execute({ ...OURS, domainId: 'dom_1', text: fiveRecords(index) }),
      ),
    );

    // Two of an account at a time.
    expect(imports.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it("is each account's own", async () => {
    await around.dailyUsage.add(DAY, [{ accountId: STRANGER.accountId, kind: 'zone history', bytes: 1_000 }]);

    await add('a');
    await expect(around.quotas.assertBelow(STRANGER.accountId, 'zone history')).rejects.toMatchObject(REFUSED);
  });
});

describe('the daily quota of stored responses', () => {
  const ANSWER = { status: 200, headers: {}, body: { text: 'x'.repeat(500) } };

  it('refuses new idempotency keys above it and keeps nothing of them, and replays the known ones', async () => {
    const around = new UseCaseContext();
    around.quotaLimits['stored responses'] = 1_000;
    const requests = new IdempotentRequests(
      around.storage,
      new AesSecretBox(createSecretKey(Buffer.alloc(32, 1))),
      around.ids,
      around.clock,
      around.log,
      { waitMs: 0, leaseMs: 15_000, alone: false },
      around.quotas,
    );
    const run = await requests.begin(request('first'));
    if (!('holder' in run)) throw new TypeError('the key is not new');
    await requests.complete(run, ANSWER);
    const before = around.storage.tables;

    await expect(requests.begin(request('second'))).rejects.toMatchObject(REFUSED);

    expect(around.storage.tables).toEqual(before);
    expect(await requests.begin(request('first'))).toEqual(ANSWER);
  });
});
