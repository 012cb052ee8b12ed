import { GlueUpdates } from '../../../../../src/application/publishing/glue-updates';
import { PtrWritings } from '../../../../../src/application/dns/zones/ptr-writings';
import { ZoneCommit } from '../../../../../src/application/dns/zones/zone-commit';
import { WriteChanges } from '../../../../../src/application/dns/zones/write-changes';
import type { Decide } from '../../../../../src/application/dns/zones/zone-request';
import type { StoreName, Stores, UnitOfWork } from '../../../../../src/application/ports/storage/unit-of-work';
import { ZoneSigning } from '../../../../../src/domain/dns/dnssec/zone-signing';
import { DnsRecord } from '../../../../../src/domain/dns/records/dns-record';
import { ALL_TYPES } from '../../../../../src/domain/dns/records/types/record-types';
import { DEFAULT_ZONE_LIMITS } from '../../../../../src/domain/dns/zone-rules';
import { ScriptedSigner } from '../../../../support/fakes/scripted-signer';
import { OURS, UseCaseContext } from '../../../../support/use-cases/use-case-context';

const REQUEST = { ...OURS, domainId: 'dom_1' };

/** Tells whether a unit of work is open, and for whom units of work were opened. */
class ObservedUnits implements UnitOfWork<StoreName> {
  open = 0;
  readonly accounts: (string | undefined)[] = [];

  constructor(private readonly storage: UnitOfWork<StoreName>) {}

  async run<T>(work: (stores: Stores) => Promise<T>, accountId?: string): Promise<T> {
    this.accounts.push(accountId);
    return this.storage.run(async (stores) => {
      this.open += 1;
      try {
        return await work(stores);
      } finally {
        this.open -= 1;
      }
    });
  }
}

describe('a zone change in its own transaction', () => {
  let around: UseCaseContext;
  let units: ObservedUnits;
  let commit: ZoneCommit;
  /** How many units of work were open while it was decided, each time. */
  let decidedUnder: number[];

  beforeEach(async () => {
    around = new UseCaseContext();
    await around.givenDomain({ id: 'dom_1' });
    units = new ObservedUnits(around.storage);
    commit = commitOn(units);
    decidedUnder = [];
  });

  const commitOn = (unitOfWork: UnitOfWork<StoreName>) => {
    const glue = new GlueUpdates(around.tlds, around.ids, around.clock, around.lifecycleClock);
    return new ZoneCommit(
      unitOfWork,
      around.storage.zones,
      around.storage.hostedNames,
      DEFAULT_ZONE_LIMITS,
      new ScriptedSigner(),
      glue,
      new PtrWritings(around.ids, around.clock),
      new WriteChanges(around.clock, glue),
    );
  };
  const adding =
    (name: string): Decide<string> =>
    async ({ zoneName }) => {
      decidedUnder.push(units.open);
      return {
        change: {
          added: [
            DnsRecord.create(
              { type: 'A', name, content: '192.0.2.1' },
              zoneName,
              around.ids.next('rec'),
              around.clock.now(),
            ),
          ],
          changed: [],
          removed: [],
        },
        result: name,
      };
    };
  const names = () => around.storage.tables.zones.get('dom_1')?.records.map(({ name }) => name);
  /** As another request that is committed while this one is decided; `times` times. */
  const outrun = (decide: Decide<string>, times: number): Decide<string> => {
    let left = times;
    return async (zone) => {
      const decided = await decide(zone);
      if (left > 0 && units.open === 0)
        await commitOn(around.storage).alone({ request: REQUEST, decide: adding(`other${(left -= 1)}`) });
      return decided;
    };
  };

  it('is refused if it adds a DNSKEY record at the apex and DNSSEC is switched on after it was decided', async () => {
    const key = { type: 'DNSKEY', name: '@', content: `257 3 13 ${Buffer.alloc(64, 1).toString('base64')}` };
    const decide: Decide<string> = async ({ zoneName }) => {
      const record = DnsRecord.create(key, zoneName, 'rec_1', around.clock.now(), ALL_TYPES);
      return { change: { added: [record], changed: [], removed: [] }, result: '' };
    };
    around.storage.zones.prepare = () =>
      around.storage.run(({ zoneSignings }) =>
        zoneSignings.add(ZoneSigning.request('dom_1', 'nsec', around.clock.now())),
      );

    await expect(commit.alone({ request: REQUEST, decide })).rejects.toMatchObject({ code: 'RECORD_CONFLICT' });
    expect(names()).toEqual([]);
  });

  it('is decided before the zone is locked, and committed for its account', async () => {
    await commit.alone({ request: REQUEST, decide: adding('www') });

    expect(decidedUnder).toEqual([0]);
    expect(units.accounts).toEqual([REQUEST.accountId]);
    expect(names()).toEqual(['www']);
  });

  it('that is the first of a new zone is decided once, before the zone exists', async () => {
    const [name] = await around.storage.hostedNames.among(['example.com']);
    const accepted = name && (await commit.acceptFirst(name, { request: REQUEST, decide: adding('www') }));
    const { zoneVersion } = await units.run((stores) =>
      commit.writeFirst(stores, accepted as NonNullable<typeof accepted>),
    );

    expect({ decidedUnder, names: names(), zoneVersion }).toEqual({
      decidedUnder: [0],
      names: ['www'],
      zoneVersion: 2,
    });
  });

  it('that is the first of a new zone is decided again if records were moved into it', async () => {
    const [name] = await around.storage.hostedNames.among(['example.com']);
    const accepted = name && (await commit.acceptFirst(name, { request: REQUEST, decide: adding('www') }));
    await commitOn(around.storage).alone({ request: REQUEST, decide: adding('moved') });

    await units.run((stores) => commit.writeFirst(stores, accepted as NonNullable<typeof accepted>));

    expect({ decidedUnder, names: names() }).toEqual({ decidedUnder: [0, 0, 1], names: ['moved', 'www'] });
  });

  it('is decided again if the zone has changed before it was locked', async () => {
    const { result, zoneVersion } = await commit.alone({ request: REQUEST, decide: outrun(adding('www'), 1) });

    expect({ result, version: zoneVersion, names: names() }).toEqual({
      result: 'www',
      version: 3,
      names: ['other0', 'www'],
    });
  });

  it('is decided under the lock in the end, so that a busy zone keeps it waiting for no longer', async () => {
    await commit.alone({ request: REQUEST, decide: outrun(adding('www'), 100) });

    expect(decidedUnder.filter((open) => open > 0)).toEqual([1]);
    expect(names()).toEqual(['other99', 'other98', 'www']);
  });

  it('is rejected for the state of the zone, not for a state that was read while it changed', async () => {
    let torn = true;
    const decide: Decide<string> = async (zone) => {
      const decided = await adding('www')(zone);
      if (!torn) return decided;
      torn = false;
      await commitOn(around.storage).alone({ request: REQUEST, decide: adding('other') });
      throw new TypeError('half of it was read before the other change, half after');
    };

    await commit.alone({ request: REQUEST, decide });

    expect(names()).toEqual(['other', 'www']);
  });

  it('is planned without a unit of work', async () => {
    const plan = await commit.plan({ request: REQUEST, decide: adding('www') });

    expect(plan).toMatchObject({ result: 'www', zoneVersion: 1 });
    expect(units.accounts).toEqual([]);
    expect(names()).toEqual([]);
  });
});
