import { openAccount } from '../../../src/domain/access/account';
import { SERVICE } from '../../../src/domain/access/actor';
import { Operation } from '../../../src/domain/registration/operations/operation';
import { SqlCostQueries } from '../../../src/infrastructure/persistence/registration/sql-cost-queries';
import { SqlRenewalPrices } from '../../../src/infrastructure/persistence/registration/sql-renewal-prices';
import { SqlUnitOfWork } from '../../../src/infrastructure/persistence/sql-unit-of-work';
import { RandomIds } from '../../../src/infrastructure/system/random/random-ids';
import { aDomain } from '../../support/data/a-domain';
import { aTransfer } from '../../support/data/a-transfer';
import { onEachDatabase } from '../../support/databases/each-database';
import { MovableClock } from '../../support/fakes/movable-clock';

const DAY_MS = 86_400_000;
const usd = (minor: number) => ({ minor, currency: 'USD' });
const WHOLE = { isCut: false, tagsAreCut: false, unasked: 0 };
const expires = (at: string, autoRenew: boolean) => ({ expiresAt: new Date(at), autoRenew });
const monthsFrom = (first: string) => {
  const start = new Date(first);
  return Array.from(
    { length: 13 },
    (_, index) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index, 1)),
  );
};

onEachDatabase('the costs of an account', (database) => {
  const clock = new MovableClock();
  let serial = 0;

  async function anAccount(): Promise<string> {
    const id = `acc_costs${(serial += 1)}`;
    await unit().run(({ accounts }) => accounts.add(openAccount(id, 'An account', clock.now())));
    return id;
  }

  const unit = (at = clock) => new SqlUnitOfWork(database(), new RandomIds(), at, at);

  async function aStored(accountId: string, name: string, about: Parameters<typeof aDomain>[0] = {}): Promise<string> {
    const id = `dom_costs${(serial += 1)}`;
    await unit().run(async ({ domains, zones }) => {
      await domains.add(aDomain({ id, accountId, name: `${accountId.slice(4)}-${name}`, ...about }));
      await zones.create(id, { actor: SERVICE, at: clock.now() });
    });
    return id;
  }

  async function charge(
    accountId: string,
    domainId: string,
    at: string,
    charged: ReturnType<typeof usd> | null,
  ): Promise<void> {
    const then = new MovableClock(at);
    const request = { kind: 'renew', years: 1, price: usd(1) } as const;
    const operation = Operation.queue(
      { id: `op_costs${(serial += 1)}`, accountId, domainId, actor: SERVICE, request },
      then.now(),
    );
    operation.succeed(then.now(), { charged });
    await unit(then).run(({ operations }) => operations.add(operation));
  }

  it('add up what was charged by month, TLD, tags and currency, and nothing that was not', async () => {
    const accountId = await anAccount();
    const shop = await aStored(accountId, 'shop.com', { tags: ['shops'] });
    const plain = await aStored(accountId, 'plain.co.uk');
    const stranger = await anAccount();
    await charge(stranger, await aStored(stranger, 'other.com'), '2026-02-10T00:00:00Z', usd(5_000));
    await charge(accountId, shop, '2026-01-31T23:59:59Z', usd(1_044));
    await charge(accountId, shop, '2026-02-01T00:00:00Z', usd(1_044));
    await charge(accountId, shop, '2026-02-28T00:00:00Z', usd(1));
    await charge(accountId, plain, '2026-02-02T00:00:00Z', { minor: 799, currency: 'GBP' });
    await charge(accountId, plain, '2026-02-03T00:00:00Z', null);
    await charge(accountId, plain, '2025-12-31T23:59:59Z', usd(9_999));

    const queries = new SqlCostQueries(database());
    const months = monthsFrom('2026-01-01T00:00:00Z');

    expect(await queries.charged(accountId, months, {})).toEqual({
      ...WHOLE,
      groups: [
        { kind: 'charged', month: 0, tld: 'com', tags: ['shops'], total: usd(1_044), count: 1 },
        { kind: 'charged', month: 1, tld: 'co.uk', tags: [], total: { minor: 799, currency: 'GBP' }, count: 1 },
        { kind: 'charged', month: 1, tld: 'com', tags: ['shops'], total: usd(1_045), count: 2 },
      ],
    });
    const ofTag = await queries.charged(accountId, months, { tags: ['shops'] });
    expect(ofTag.groups.map(({ tld }) => tld)).toEqual(['com', 'com']);
    const ofName = await queries.charged(accountId, months, { names: [`${accountId.slice(4)}-plain.co.uk`] });
    expect(ofName.groups.map(({ tld }) => tld)).toEqual(['co.uk']);
    const few = await new SqlCostQueries(database(), 2).charged(accountId, months, {});
    expect(few.isCut).toBe(true);
    expect(few.groups.every(({ month }) => month === 1)).toBe(true);
  });

  it('add up renewals in the months in which they are due, automatic ones apart from others', async () => {
    const accountId = await anAccount();
    const prices = new SqlRenewalPrices(database());
    const automatic = await aStored(accountId, 'a.com', expires('2026-03-10T00:00:00Z', true));
    const manual = await aStored(accountId, 'b.com', expires('2026-03-10T00:00:00Z', false));
    await aStored(accountId, 'c.com', expires('2026-03-11T00:00:00Z', false));
    await aStored(accountId, 'late.com', expires('2027-01-10T00:00:00Z', false));
    const lastLead = await aStored(accountId, 'lead.com', expires('2027-01-10T00:00:00Z', true));
    await prices.save(accountId, [
      { domainId: automatic, price: usd(1_044), checkedAt: clock.now() },
      { domainId: manual, price: usd(2_000), checkedAt: clock.now() },
      { domainId: lastLead, price: usd(3_000), checkedAt: clock.now() },
    ]);

    const found = await new SqlCostQueries(database()).renewals(
      accountId,
      monthsFrom('2026-01-01T00:00:00Z'),
      30 * DAY_MS,
      {},
    );

    expect(found).toEqual({
      ...WHOLE,
      unasked: 1,
      groups: expect.arrayContaining([
        { kind: 'automatic', month: 1, tld: 'com', tags: [], total: usd(1_044), count: 1 },
        { kind: 'manual', month: 2, tld: 'com', tags: [], total: usd(2_000), count: 1 },
        { kind: 'manual', month: 2, tld: 'com', tags: [], total: null, count: 1 },
        { kind: 'automatic', month: 11, tld: 'com', tags: [], total: usd(3_000), count: 1 },
      ]),
    });
    expect(found.groups).toHaveLength(4);
  });

  it('add up each charge and each renewal once, however many have the same time and in however many parts they are read', async () => {
    const accountId = await anAccount();
    const [parts, same] = [7, '2026-03-10T00:00:00Z'];
    for (let index = 0; index < parts; index += 1) {
      const id = await aStored(accountId, `same-${index}.com`, { ...expires(same, true), tags: [`tag-${index}`] });
      await charge(accountId, id, index < 3 ? same : '2026-02-10T00:00:00Z', usd(100));
    }
    const months = monthsFrom('2026-01-01T00:00:00Z');
    const inParts = new SqlCostQueries(database(), 20_000, 2);

    const [charged, renewals, byMonth] = [
      await inParts.charged(accountId, months, {}),
      await inParts.renewals(accountId, months, 0, {}),
      await inParts.renewals(accountId, months, 0, {}, 'by-month'),
    ];

    const count = (month: number, { groups }: typeof charged) =>
      groups.filter((group) => group.month === month).reduce((sum, group) => sum + group.count, 0);
    expect([count(1, charged), count(2, charged), charged.isCut]).toEqual([4, 3, false]);
    expect([count(2, renewals), renewals.groups.length, renewals.isCut]).toEqual([parts, parts, false]);
    expect(byMonth).toEqual({
      ...WHOLE,
      unasked: parts,
      groups: [{ kind: 'automatic', month: 2, tld: '', tags: [], total: null, count: parts }],
    });
    expect((await new SqlCostQueries(database(), 4).renewals(accountId, months, 0, {})).isCut).toBe(true);
  });

  it('tell long tags and TLDs apart that begin alike', async () => {
    const accountId = await anAccount();
    const months = monthsFrom('2026-01-01T00:00:00Z');
    const alike = ['a'.repeat(39), 'b'.repeat(39)];
    const tlds = ['one', 'two'].map((end) => `a-long-name-of-a-zone-that-is.no-tld-of-${end}.example`);
    const at = '2026-03-10T00:00:00Z';
    for (const [name, tags] of [
      ['short.com', ['short']],
      ['long-1.com', [...alike, 'one']],
      ['long-2.com', [...alike, 'two']],
      ['long-3.com', [...alike, 'two']],
      ...tlds.map((tld) => [`below.${tld}`, ['short']] as const),
    ] as const)
      await charge(accountId, await aStored(accountId, name, { ...expires(at, true), tags }), at, usd(100));
    const queries = new SqlCostQueries(database());

    const [charged, renewals] = [
      await queries.charged(accountId, months, {}),
      await queries.renewals(accountId, months, 0, {}),
    ];

    for (const { groups } of [charged, renewals])
      expect(new Set(groups.map(({ tld, tags, count }) => `${tld} ${tags.join(' ')} ${count}`))).toEqual(
        new Set([
          'com short 1',
          `com ${[...alike, 'one'].join(' ')} 1`,
          `com ${[...alike, 'two'].join(' ')} 2`,
          ...tlds.map((tld) => `${tld} short 1`),
        ]),
      );
    expect([charged.groups.length, renewals.groups.length]).toEqual([5, 5]);
    expect(new Set(renewals.groups.map(({ kind }) => kind))).toEqual(new Set(['automatic']));
  });

  it('add up the same months however small the parts are that begin and end in them', async () => {
    const accountId = await anAccount();
    for (const [index, at] of ['01-20', '01-31', '02-01', '03-15', '06-30', '07-01', '12-31'].entries()) {
      const day = `2026-${at}T00:00:00Z`;
      const id = await aStored(accountId, `of-${at}.com`, expires(day, index % 2 === 0));
      await charge(accountId, id, day, usd(100));
    }
    const months = monthsFrom('2026-01-01T00:00:00Z');
    const read = async (together: number) => {
      const queries = new SqlCostQueries(database(), 20_000, together);
      const found = [
        await queries.charged(accountId, months, {}),
        await queries.renewals(accountId, months, 30 * DAY_MS, {}),
      ];
      return found.map(({ groups }) => groups.map(({ kind, month, count }) => `${kind} ${month} ${count}`).toSorted());
    };

    const whole = await read(20_000);

    expect(whole[1]).toContain('automatic 4 1');
    expect(await Promise.all([1, 2, 3].map(read))).toEqual([whole, whole, whole]);
  });

  it('say that charges or renewals are left out exactly if some are', async () => {
    const accountId = await anAccount();
    const months = monthsFrom('2026-01-01T00:00:00Z');
    const tags = ['counted'];
    const id = await aStored(accountId, 'one.com', { ...expires('2026-03-10T00:00:00Z', true), tags });
    await aStored(accountId, 'two.com', expires('2026-04-10T00:00:00Z', true));
    await charge(accountId, id, '2026-01-10T00:00:00Z', null);
    await charge(accountId, id, '2026-02-10T00:00:00Z', usd(100));

    const ofOne = async () => {
      const queries = new SqlCostQueries(database(), 1);
      return [await queries.charged(accountId, months, {}), await queries.renewals(accountId, months, 0, { tags })];
    };
    expect((await ofOne()).map(({ isCut }) => isCut)).toEqual([false, false]);
    await charge(accountId, id, '2026-01-05T00:00:00Z', usd(100));
    await aStored(accountId, 'three.com', { ...expires('2026-05-10T00:00:00Z', true), tags });
    expect((await ofOne()).map(({ isCut }) => isCut)).toEqual([true, true]);
  });

  it('add up all charges of transfers, or say that some are left out', async () => {
    const accountId = await anAccount();
    const months = monthsFrom('2026-01-01T00:00:00Z');
    for (const day of ['05', '06', '07', '08', '09']) {
      const at = new Date(`2026-01-${day}T00:00:00Z`);
      const transfer = aTransfer({ id: `tr_costs${(serial += 1)}`, accountId, name: `moved-${day}.com` }, at);
      transfer.approve({ charged: usd(100) }, at, at);
      await unit().run(({ transfers }) => transfers.add(transfer));
    }

    const [whole, inParts, cut] = [
      await new SqlCostQueries(database()).charged(accountId, months, {}),
      await new SqlCostQueries(database(), 20_000, 2).charged(accountId, months, {}),
      await new SqlCostQueries(database(), 2).charged(accountId, months, {}),
    ];

    expect(whole).toEqual({
      ...WHOLE,
      groups: [{ kind: 'charged', month: 0, tld: 'com', tags: [], total: usd(500), count: 5 }],
    });
    expect(inParts).toEqual(whole);
    expect(cut.isCut).toBe(true);
  });
});
