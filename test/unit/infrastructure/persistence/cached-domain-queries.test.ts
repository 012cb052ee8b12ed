import type { DomainQueries } from '../../../../src/application/ports/registration/domain-queries';
import type { DomainStatus } from '../../../../src/domain/registration/domain-status';
import { CachedDomainQueries } from '../../../../src/infrastructure/persistence/registration/cached-domain-queries';

const MINUTE_MS = 60_000;

/** Counts one domain more each time. */
function someQueries(ms: number) {
  const state = { time: 0, count: 0, failing: false };
  const countByStatus = async (): Promise<ReadonlyMap<DomainStatus, number>> => {
    if (state.failing) throw new Error('the database is away');
    state.time += ms;
    state.count += 1;
    return new Map([['active', state.count]]);
  };
  const cached = new CachedDomainQueries({ countByStatus } as unknown as DomainQueries, () => state.time);
  return { state, count: async (accountId = 'acc_1') => (await cached.countByStatus(accountId)).get('active') };
}

describe('counts of an overview', () => {
  it('are exact where they are quick', async () => {
    const { count } = someQueries(49);

    expect([await count(), await count(), await count()]).toEqual([1, 2, 3]);
  });

  it('are cached for a minute where they are slow, and of each account by itself', async () => {
    const { state, count } = someQueries(50);

    const first = [await count(), await count(), await count('acc_2')];
    state.time += MINUTE_MS - 51;

    expect([...first, await count()]).toEqual([1, 1, 2, 1]);
  });

  it('are counted again in the background after that, by one reader', async () => {
    const { state, count } = someQueries(50);
    await count();
    state.time += MINUTE_MS;

    const stale = await Promise.all([count(), count()]);

    expect([...stale, await count()]).toEqual([1, 1, 2]);
  });

  it('are counted again by the next reader where that failed', async () => {
    const { state, count } = someQueries(50);
    await count();
    state.time += MINUTE_MS;
    state.failing = true;
    await count();
    await new Promise(setImmediate);
    state.failing = false;

    expect(await count()).toBe(2);
  });
});
