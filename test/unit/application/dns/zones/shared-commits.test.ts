import { GlueUpdates } from '../../../../../src/application/publishing/glue-updates';
import { SharedCommits } from '../../../../../src/application/dns/zones/zone-writer';
import { PtrWritings } from '../../../../../src/application/dns/zones/ptr-writings';
import { ZoneCommit } from '../../../../../src/application/dns/zones/zone-commit';
import { WriteChanges } from '../../../../../src/application/dns/zones/write-changes';
import type { Written } from '../../../../../src/application/dns/zones/zone-request';
import type { ZoneDecision } from '../../../../../src/application/dns/zones/zone-request';
import { IdempotencyKeyInUse } from '../../../../../src/domain/access/access-errors';
import type { ZoneRepository } from '../../../../../src/application/ports/dns/zone-repository';
import { StorageUnavailable } from '../../../../../src/application/ports/storage/storage-unavailable';
import type { StoreName, Stores, UnitOfWork } from '../../../../../src/application/ports/storage/unit-of-work';
import { DnsRecord, type RecordPatch } from '../../../../../src/domain/dns/records/dns-record';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';
import { ScriptedSigner } from '../../../../support/fakes/scripted-signer';
import { OURS, STRANGER, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const ZONES = ['dom_1', 'dom_2', 'dom_3'];

/** Units of work of a storage, counted, and as they go wrong. */
class WatchedUnits implements UnitOfWork<StoreName> {
  runs = 0;
  /** How many times each unit read the neighbors of its changes, and how many times it wrote. */
  readonly reads: number[] = [];
  readonly writes: number[] = [];
  /** What the units fail with after their work, the first one first. */
  readonly failures: (Error | undefined)[] = [];
  onBegin: () => void = () => undefined;
  private readonly held = new Set<string>();

  constructor(private readonly storage: UnitOfWork<StoreName>) {}

  /** As if another process had the zone: it is skipped unless the caller waits for it. */
  holdZone(domainId: string): void {
    this.held.add(domainId);
  }

  async run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    this.runs += 1;
    this.reads.push(0);
    this.writes.push(0);
    const failure = this.failures.shift();
    return this.storage.run(async (stores) => {
      this.onBegin();
      const result = await work({ ...stores, zones: this.watched(stores.zones) });
      if (failure) throw failure;
      return result;
    });
  }

  private watched(zones: ZoneRepository): ZoneRepository {
    const overrides: Partial<ZoneRepository> = {
      lockFree: (ids) => zones.lockFree(ids.filter((id) => !this.held.has(id))),
      recordsAt: (places) => {
        countOne(this.reads);
        return zones.recordsAt(places);
      },
      apply: (writes) => {
        countOne(this.writes);
        return zones.apply(writes);
      },
    };
    return Object.assign(Object.create(zones) as ZoneRepository, overrides);
  }
}

/** Counts in the last of `counts`. */
function countOne(counts: number[]): void {
  counts.push((counts.pop() ?? 0) + 1);
}

/** The zone's version, or the error code. */
function outcomeOf(outcome: PromiseSettledResult<Written<unknown>>): number | string {
  return outcome.status === 'fulfilled' ? outcome.value.zoneVersion : (outcome.reason as { code: string }).code;
}

describe('changes of zones that arrive together', () => {
  let around: UseCaseContext;
  let units: WatchedUnits;
  let commits: SharedCommits;

  beforeEach(async () => {
    around = new UseCaseContext();
    for (const id of ZONES) await around.givenDomain({ id, name: `${id.replace('_', '-')}.com` });
    units = new WatchedUnits(around.storage);
    const glue = new GlueUpdates(around.tlds, around.ids, around.clock, around.lifecycleClock);
    commits = new SharedCommits(
      new ZoneCommit(
        units,
        around.storage.zones,
        around.storage.hostedNames,
        DEFAULT_ZONE_LIMITS,
        new ScriptedSigner(),
        glue,
        new PtrWritings(around.ids, around.clock),
        new WriteChanges(around.clock, glue),
      ),
    );
  });

  function add(domainId: string, name = 'www', requester = OURS) {
    const id = around.ids.next('rec');
    const decide = async ({ zoneName }: { zoneName: string }): Promise<ZoneDecision<string>> => {
      const record = DnsRecord.create({ type: 'A', name, content: '192.0.2.1' }, zoneName, id, around.clock.now());
      return { change: { added: [record], changed: [], removed: [] }, result: name };
    };
    return commits.write({ request: { ...requester, domainId }, decide });
  }
  function read(domainId: string, names: readonly string[]) {
    return commits.write({
      request: { ...OURS, domainId },
      decide: async ({ recordsAt }) => ({
        change: { added: [], changed: [], removed: [] },
        result: (await recordsAt(names)).map(({ name }) => name),
      }),
    });
  }
  const namesIn = (domainId: string) => around.storage.tables.zones.get(domainId)?.records.map(({ name }) => name);
  /** Changes that arrive when the transaction of another one has begun share the next one. */
  const behindAnother = async <T>(arrivals: () => T, name = 'first'): Promise<T> => {
    const begun = new Promise<void>((resolve) => (units.onBegin = resolve));
    const first = add('dom_1', name);
    await begun;
    const answer = arrivals();
    await first;
    return answer;
  };

  it('are committed in one transaction, each with its version, its history and its audit entry', async () => {
    const committed = await behindAnother(() => Promise.all(ZONES.slice(1).map((id) => add(id))));

    expect(units.runs).toBe(2);
    expect(committed.map(({ zone, zoneVersion, isChanged }) => [zone.domainId, zoneVersion, isChanged])).toEqual([
      ['dom_2', 2, true],
      ['dom_3', 2, true],
    ]);
    expect(ZONES.map((id) => around.storage.tables.zones.get(id)?.changes.map(({ version }) => version))).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(around.auditEntries.map(({ domain }) => domain?.id)).toEqual(ZONES);
  });

  it.each([
    ['committed after waiting 5 seconds for the commits before them', 5_000, { status: 'fulfilled' }, ['www']],
    [
      'refused after a longer wait, with its likely cause',
      5_001,
      {
        status: 'rejected',
        reason: { cause: { message: expect.stringContaining('is the disk of the database slow?') } },
      },
      [],
    ],
  ])('are %s', async (_what, waited, outcome, names) => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const outcomes = await behindAnother(() => {
      const adding = Promise.allSettled([add('dom_2')]);
      clock.mockReturnValue(waited);
      return adding;
    });
    clock.mockRestore();

    expect(outcomes).toMatchObject([outcome]);
    expect(namesIn('dom_2')).toEqual(names);
  });

  it('are made one after the other if they are of one zone, in the order of arrival', async () => {
    const committed = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add('dom_1', name)));

    expect(committed.map(({ result, zoneVersion }) => [result, zoneVersion])).toEqual([
      ['a', 2],
      ['b', 3],
      ['c', 4],
      ['d', 5],
    ]);
    expect(namesIn('dom_1')).toEqual(['a', 'b', 'c', 'd']);
    expect(units.runs).toBe(1);
  });

  it('are validated against the zone that the earlier changes leave', async () => {
    const outcomes = await behindAnother(() => Promise.allSettled([add('dom_2'), add('dom_2'), add('dom_2', 'other')]));

    expect(outcomes.map(outcomeOf)).toEqual([2, 'RECORD_CONFLICT', 3]);
    expect(namesIn('dom_2')).toEqual(['www', 'other']);
  });

  it('apply after the earlier ones of their zone: a record changed twice has both changes, and a removed one is not found', async () => {
    await add('dom_2');
    const id = around.storage.tables.zones.get('dom_2')?.records[0]?.id ?? '';
    const change = (patch: RecordPatch, expectedVersions?: readonly number[]) =>
      commits.write({
        request: { ...OURS, domainId: 'dom_2', ...(expectedVersions && { expectedVersions }) },
        decide: async ({ zoneName, record }) => {
          const before = await record(id);
          const after = before.copy();
          after.change(patch, zoneName, around.clock.now());
          return { change: { added: [], changed: [{ before, after }], removed: [] }, result: id };
        },
      });
    const remove = () =>
      commits.write({
        request: { ...OURS, domainId: 'dom_2' },
        decide: async ({ record }) => ({
          change: { added: [], changed: [], removed: [await record(id)] },
          result: id,
        }),
      });

    const changes = await behindAnother(() =>
      Promise.allSettled([change({ ttl: 60 }), change({ content: '192.0.2.9' }), change({ ttl: 90 }, [2])]),
    );
    const stored = around.storage.tables.zones.get('dom_2')?.records;
    const removals = await behindAnother(() => Promise.allSettled([remove(), remove()]), 'second');

    expect(changes.map(outcomeOf)).toEqual([3, 4, 'PRECONDITION_FAILED']);
    expect(stored).toMatchObject([{ id, ttl: 60, content: '192.0.2.9' }]);
    expect(removals.map(outcomeOf)).toEqual([5, 'RECORD_NOT_FOUND']);
    expect(namesIn('dom_2')).toEqual([]);
  });

  it('read once for all of them, also if they are of one zone', async () => {
    await behindAnother(() => Promise.all(['a', 'b', 'c', 'd'].map((name) => add('dom_2', name))));

    expect(units.reads).toEqual([1, 1]);
    expect(units.writes).toEqual([1, 1]);
  });

  it('read once for all of them if they read before they decide, and each sees the records of the names that it asked for', async () => {
    await Promise.all([add('dom_2', 'a'), add('dom_2', 'b'), add('dom_3', 'a')]);
    units.reads.length = 0;

    const committed = await behindAnother(() =>
      Promise.all([
        read('dom_2', ['a']),
        read('dom_2', ['b', 'c']),
        read('dom_2', ['a', 'b']),
        read('dom_3', ['a', 'b']),
      ]),
    );

    expect(committed.map(({ result }) => result)).toEqual([['a'], ['b'], ['a', 'b'], ['a']]);
    expect(units.reads).toEqual([1, 1]);
  });

  it('keep their order while they wait for their zone', async () => {
    units.holdZone('dom_2');

    const committed = await behindAnother(() => Promise.all(['a', 'b', 'c'].map((name) => add('dom_2', name))));

    expect(committed.map(({ zoneVersion }) => zoneVersion)).toEqual([2, 3, 4]);
    expect(namesIn('dom_2')).toEqual(['a', 'b', 'c']);
  });

  it('are not affected by a rejected change, which leaves no trace', async () => {
    await add('dom_2');

    const outcomes = await behindAnother(() =>
      Promise.allSettled([add('dom_2'), add('dom_3'), add('dom_1', 'www', STRANGER), add('dom_unknown')]),
    );

    expect(outcomes.map(outcomeOf)).toEqual(['RECORD_CONFLICT', 2, 'DOMAIN_NOT_FOUND', 'DOMAIN_NOT_FOUND']);
    expect(around.storage.tables.zones.get('dom_2')?.version).toBe(2);
  });

  it('are written one by one if writing them together fails, so that only one is rejected', async () => {
    units.failures.push(undefined, new Error('duplicate'), new Error('a fault of dom_2'));

    const outcomes = await behindAnother(() => Promise.allSettled([add('dom_2'), add('dom_3')]));

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(ZONES.map(namesIn)).toEqual([['first'], [], ['www']]);
  });

  it('does not write changes again if the database became unreachable and their outcome is unknown', async () => {
    units.failures.push(undefined, new StorageUnavailable());

    const outcomes = await behindAnother(() => Promise.allSettled([add('dom_2'), add('dom_3')]));

    expect(outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as Error).name)).toEqual([
      'StorageUnavailable',
      'StorageUnavailable',
    ]);
    expect(units.runs).toBe(2);
  });

  it('run the hook of each in the same transaction, and retry each alone if one hook fails', async () => {
    const seen: [string, number][] = [];
    const addWith = (domainId: string, error?: Error) => {
      const id = around.ids.next('rec');
      return commits.write({
        request: { ...OURS, domainId },
        decide: async ({ zoneName }) => {
          const record = DnsRecord.create(
            { type: 'A', name: 'www', content: '192.0.2.1' },
            zoneName,
            id,
            around.clock.now(),
          );
          return { change: { added: [record], changed: [], removed: [] }, result: id };
        },
        hook: async (_stores, { zoneVersion }) => {
          seen.push([domainId, units.runs]);
          expect(zoneVersion).toBe(2);
          if (error) throw error;
        },
      });
    };

    const outcomes = await behindAnother(() =>
      Promise.allSettled([addWith('dom_2'), addWith('dom_3', new IdempotencyKeyInUse())]),
    );

    expect(outcomes.map(outcomeOf)).toEqual([2, 'IDEMPOTENCY_KEY_IN_USE']);
    expect(seen.slice(0, 2)).toEqual([
      ['dom_2', 2],
      ['dom_3', 2],
    ]);
    expect(ZONES.map(namesIn)).toEqual([['first'], ['www'], []]);
  });

  it('writes changes of other zones without waiting for a zone that another process has locked', async () => {
    units.holdZone('dom_2');

    const outcomes = await behindAnother(() => Promise.all([add('dom_2'), add('dom_3')]));

    expect(outcomes.map(({ zoneVersion }) => zoneVersion)).toEqual([2, 2]);
    expect(units.runs).toBe(3);
  });

  it('are written once if the database repeats the transaction', async () => {
    around.storage.repeatEveryUnit();

    await behindAnother(() => Promise.all([add('dom_2'), add('dom_3')]));

    expect(ZONES.map(namesIn)).toEqual([['first'], ['www'], ['www']]);
    expect(around.auditEntries).toHaveLength(3);
  });
});
