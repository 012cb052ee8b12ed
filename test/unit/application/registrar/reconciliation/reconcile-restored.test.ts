import { AdoptPendingDomains } from '../../../../../src/application/registrar/reconciliation/adopt-pending-domains';
import { ReconcileRestored } from '../../../../../src/application/registrar/reconciliation/reconcile-restored';
import { CompareNewerZones } from '../../../../../src/application/registrar/reconciliation/compare-newer-zones';
import { FindNewerZones } from '../../../../../src/application/registrar/reconciliation/find-newer-zones';
import { ZoneSourceFailed } from '../../../../../src/domain/dns/dns-errors';
import { RegistryRejected, RegistryUnavailable } from '../../../../../src/application/ports/registry/registry-errors';

type Serials = Readonly<Record<string, number | 'no response' | undefined>>;

/**
 * `ours` and the serials that each secondary serves; zones not in `ours` are not served here. Zones whose names begin with `other`
 * have other records at secondaries, and those that begin with `cut` cannot be transferred.
 */
function secondariesWith(ours: Readonly<Record<string, number>>, bySecondary: Readonly<Record<string, Serials>>) {
  const names = Object.keys(bySecondary);
  return new FindNewerZones(
    {
      all: async () => names.map((name) => ({ name, keyName: 'key', signs: false })),
      findKey: async () => undefined,
    } as never,
    {
      members: async ({ name }: { name: string }) => Object.keys(bySecondary[name] ?? {}),
      serial: async ({ name }: { name: string }, zone: string) => (zone === 'catalog' ? 1 : bySecondary[name]?.[zone]),
      differs: async (_secondary: unknown, zone: string) => {
        if (zone.startsWith('cut')) throw new ZoneSourceFailed('no response');
        return zone.startsWith('other');
      },
    } as never,
    {
      find: async (zone: string) => (zone in ours ? { serial: ours[zone] } : undefined),
      catalogVersion: async () => 1,
    } as never,
    { catalogZone: 'catalog' },
  );
}

describe('the comparison with secondaries after a restore', () => {
  it('finds zones that a secondary has newer or that are missing here, and none that it has older', async () => {
    const ours = { 'equal.com': 5, 'stale.com': 5, 'newer.com': 5, 'wrapped.com': 2 ** 32 - 1 };
    const secondaries = secondariesWith(ours, {
      ns1: { 'equal.com': 5, 'stale.com': 5, 'newer.com': 6, 'wrapped.com': 1, 'missing.com': 3 },
      ns2: { 'equal.com': 5, 'stale.com': 4, 'newer.com': 9, 'wrapped.com': 2 ** 32 - 2, 'missing.com': 2 },
    });

    const { found, unread } = await secondaries.execute();

    expect(
      found.map(({ zoneName, secondary, theirs }) => `${zoneName} ${secondary.name} ${theirs}`).toSorted(),
    ).toEqual(['missing.com ns1 3', 'newer.com ns2 9', 'wrapped.com ns1 1']);
    expect(unread).toEqual([]);
  });

  it('finds zones that a secondary has with the same serial and other records, and names those that it does not transfer', async () => {
    const secondaries = secondariesWith(
      { 'equal.com': 5, 'other.com': 5, 'other-newer.com': 5, 'other-stale.com': 5, 'cut.com': 5 },
      {
        ns1: { 'equal.com': 5, 'other.com': 5, 'other-newer.com': 5, 'other-stale.com': 4, 'cut.com': 5 },
        ns2: { 'other-newer.com': 6 },
      },
    );

    const { found, unread } = await secondaries.execute();

    expect(found.map(({ zoneName, secondary, ours, theirs }) => [zoneName, secondary.name, ours, theirs])).toEqual([
      ['other.com', 'ns1', 5, 5],
      ['other-newer.com', 'ns2', 5, 6],
    ]);
    expect(unread).toEqual([{ source: 'ns1', reason: 'cut.com: no response' }]);
  });

  it('names zones whose SOA query a secondary does not answer', async () => {
    const secondaries = secondariesWith(
      { 'lost.com': 5, 'gone.com': 5 },
      { ns1: { 'lost.com': 'no response', 'gone.com': undefined } },
    );

    expect(await secondaries.execute()).toEqual({
      found: [],
      unread: [{ source: 'ns1', reason: 'no SOA response for lost.com' }],
      ahead: 0,
    });
  });
});

const ns = (content: string) => ({ name: '@', type: 'NS', content });
/** What an import of a zone file with two NS records at the apex changes. */
const change = ({ delegatedTo = [] }: { delegatedTo?: readonly string[] }) => ({
  added: ['ns1.new.example', 'ns1.extra.example'].filter((host) => !delegatedTo.includes(host)).map(ns),
  changed: [],
  removed: [],
});
const away = async () => {
  throw new RegistryUnavailable('does not respond');
};

/** A domain whose delegation is older than the registry's; returns what is imported as records. */
const importedWith = async (info: () => Promise<unknown>, theirs = 2): Promise<readonly string[]> => {
  let imported: readonly string[] = [];
  const compareNewerZones = new CompareNewerZones(
    { findKey: async () => undefined } as never,
    { zone: async () => ({ zoneFile: '' }) } as never,
    { withSnapshot: async () => false } as never,
    { zonesAmong: async () => [{ id: 'dom_1', accountId: 'acc_1' }] } as never,
    {
      plan: async (request: object) => ({ change: change(request) }),
      execute: async (request: object) => {
        imported = change(request).added.map(({ content }) => content);
      },
    } as never,
    {} as never,
    { info } as never,
  );
  const found = { zoneName: 'moved.com', secondary: { name: 'ns1', keyName: 'key' } as never, ours: 1, theirs };
  const differences = await compareNewerZones.execute([found], { fix: true, accountId: 'acc_1' });
  return imported.length > 0 ? imported : differences.map(({ records, isFixed }) => `${records}, fixed: ${isFixed}`);
};

describe('a restored zone', () => {
  it('does not get the nameservers of its domain at the registry as NS records', async () => {
    expect(await importedWith(async () => held(['ns1.new.example']))).toEqual(['ns1.extra.example']);
  });

  it('keeps its records if a secondary has others with the same serial, and is listed', async () => {
    expect(await importedWith(async () => held(['ns1.new.example']), 1)).toEqual([
      'same serial, kept ours: +1 -0 ~0, fixed: false',
    ]);
  });

  it('is compared although its registry does not respond', async () => {
    expect(await importedWith(away)).toEqual(['ns1.new.example', 'ns1.extra.example']);
  });
});

const pending = (id: string) => ({ id, name: `${id}.com`, status: 'pending' });
const held = (nameservers: readonly string[], { sponsoredByUs = true, transferLocked = true } = {}) => ({
  phase: 'registered',
  sponsoredByUs,
  nameservers,
  transferLocked,
});

describe('registrations that are unfinished in a restored database', () => {
  it('get the nameservers and the lock that they have at the registry, so that those ordered are not set there again', async () => {
    const atRegistry: Record<string, object | undefined> = {
      'changed.com': held(['ns1.new.example']),
      'foreign.com': held(['ns1.foreign.example'], { sponsoredByUs: false }),
      'unlocked.com': held([], { transferLocked: false }),
      'active.com': held(['ns1.active.example']),
    };
    const [saved, unanswered]: [string[], string[]] = [[], []];
    const adoptPendingDomains = new AdoptPendingDomains(
      {
        livePage: async () =>
          [
            ...['away', 'away2', 'changed', 'foreign', 'unknown', 'unlocked'].map(pending),
            { ...pending('active'), status: 'active' },
          ] as never,
      },
      {
        info: async ({ value }) => {
          if (!value.startsWith('away')) return atRegistry[value] as never;
          unanswered.push(value);
          throw new RegistryUnavailable('does not respond', 0);
        },
      },
      {
        run: async (work: (stores: never) => unknown) =>
          work({
            domains: {
              lockAny: async (id: string) => ({
                delegateTo: (hosts: readonly string[]) => saved.push(`${id} ${hosts.join()}`),
                setTransferLock: (locked: boolean) => saved.push(`${id} ${locked ? 'locked' : 'unlocked'}`),
              }),
              save: async () => undefined,
            },
          } as never),
      } as never,
      { now: () => new Date(0) },
    );

    await adoptPendingDomains.execute();

    expect(saved).toEqual(['changed ns1.new.example', 'changed locked', 'unlocked unlocked']);
    expect(unanswered).toEqual(['away.com', 'away.com', 'away.com', 'away2.com']);
  });
});

describe('the reconciliation of a restored database', () => {
  const listings = { listings: () => ['away', 'refusing', 'present'].map((registry) => ({ registry })) };
  const report = { left: [] };
  const raised: unknown[] = [];
  const at = new Date('2026-11-23T10:00:00.000Z');
  let asked: string[];
  const restored = new ReconcileRestored(
    { execute: async () => ({ found: [], unread: [], ahead: 7 }) } as never,
    { execute: async () => [] } as never,
    listings as never,
    {
      execute: async ({ registry }: { registry: string }) => {
        asked.push(registry);
        if (registry === 'away') throw new RegistryUnavailable('does not respond');
        if (registry === 'refusing') throw new RegistryRejected('policy', 'wrong password');
        return [report];
      },
    } as never,
    { execute: async (raise: unknown) => void raised.push(raise) } as never,
    { find: async () => undefined, all: async () => [{ id: 'acc_1' }] } as never,
    { execute: async () => undefined },
  );
  beforeEach(() => (asked = []));

  it('reports the registries that respond, names the others, and raises all serials', async () => {
    expect(await restored.execute({ fix: true, at })).toEqual({
      registries: [report],
      zones: [],
      unread: [
        { source: 'away', reason: 'does not respond' },
        { source: 'refusing', reason: 'wrong password' },
      ],
    });
    expect(raised).toEqual([{ ahead: 7, since: at }]);
  });

  it('refuses an unknown account before it queries a registry', async () => {
    await expect(restored.execute({ fix: true, at, accountId: 'acc_9' })).rejects.toMatchObject({
      details: expect.stringContaining('account'),
    });
    expect(asked).toEqual([]);
  });
});
