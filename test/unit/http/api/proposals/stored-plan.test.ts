import { changesTheSame, hasSameEffect } from '../../../../../src/domain/access/proposals/plan-effect';
import type { ProposalPlan } from '../../../../../src/domain/access/proposals/proposal';
import { storedPlan } from '../../../../../src/http/api/proposals/stored-plan';
import { LongList } from '../../../../../src/http/shared/long-list';

const TEXT = 'x'.repeat(1_000);
const MANY = 1_100;

const record = (name: number, content = TEXT) => ({ id: `rec_${name}`, type: 'TXT', name: `t${name}`, content });

/** Adds many records, the last of them with another content or warning. */
function plan({ last = TEXT, warnings = [] as string[], price = 10, records = MANY } = {}): object {
  const names = Array.from({ length: records }, (_each, name) => name);
  const added = new LongList(names, (name) => record(name, name === records - 1 ? last : TEXT));
  return { result: { version: 3, added, changed: [], removed: [record(0)] }, warnings, cost: { amount: price } };
}

const stored = (given: Parameters<typeof plan>[0] = {}) => storedPlan(plan(given), 'acc_1');

describe('a plan as it is stored', () => {
  it('is the whole plan if it has up to a million characters', async () => {
    const given = plan({ records: 900 });

    expect(await storedPlan(given, 'acc_1')).toEqual(JSON.parse(JSON.stringify(given)));
  });

  it('has the first entries of long lists otherwise, how many there are, and what is short', async () => {
    const { result, whole, ...rest } = await stored({ warnings: ['a warning'] });
    const { added, added_count: count, ...others } = result as { added: readonly unknown[]; added_count: number };

    expect(count).toBe(MANY);
    expect(added[0]).toEqual(record(0));
    expect(added.length).toBeGreaterThan(50);
    expect(JSON.stringify(added).length).toBeLessThan(200_000);
    expect(others).toEqual({ version: 3, changed: [], removed: [record(0)] });
    expect(rest).toEqual({ warnings: ['a warning'], cost: { amount: 10 } });
    expect(whole).toEqual({ effect: expect.stringMatching(/^.{43}$/), changes: expect.stringMatching(/^.{43}$/) });
  });

  it('keeps each zone of a bulk job, with the counts of its records', async () => {
    const { result } = plan() as { readonly result: object };

    const { zones } = (await storedPlan({ changes: [], zones: [result, result] }, 'acc_1')) as {
      readonly zones: readonly object[];
    };

    expect(zones).toHaveLength(2);
    for (const zone of zones) expect(zone).toMatchObject({ version: 3, added_count: MANY });
  });

  it('has the same effect as another one only if what both leave out is the same', async () => {
    const one = await stored();

    expect(hasSameEffect(one, await stored({ warnings: ['new'] }))).toBe(true);
    expect(hasSameEffect(one, await stored({ last: `${TEXT}y` }))).toBe(false);
    expect(hasSameEffect(one, await stored({ records: MANY - 1 }))).toBe(false);
    expect(hasSameEffect(one, await stored({ price: 11 }))).toBe(false);
    expect(changesTheSame(one, await stored({ price: 11 }))).toBe(true);
    expect(changesTheSame(one, await stored({ price: 11, last: `${TEXT}y` }))).toBe(false);
  });

  it('has the same effect as one that is short only because its warnings are', async () => {
    const records = 930;
    const warnings = [TEXT.repeat(100)];
    const [long, short] = [await stored({ records, warnings }), await stored({ records })];

    expect([long['whole'] === undefined, short['whole'] === undefined]).toEqual([false, true]);
    expect([hasSameEffect(long, short), hasSameEffect(short, long)]).toEqual([true, true]);
    const other: ProposalPlan = { ...short, cost: { amount: 11 } };
    expect([hasSameEffect(long, other), changesTheSame(long, other)]).toEqual([false, true]);
  });
});
