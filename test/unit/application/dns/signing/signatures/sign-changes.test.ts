import { SignChanges } from '../../../../../../src/application/dns/signing/signatures/sign-changes';
import { touchedNames } from '../../../../../../src/application/dns/signing/signatures/touched-names';
import type { DerivedChange, SigningRepository } from '../../../../../../src/application/ports/dns/signing-repository';
import type { TouchedZone } from '../../../../../../src/application/ports/dns/zone-repository';
import type { ZoneChange } from '../../../../../../src/domain/dns/zone-change';
import { SERVICE } from '../../../../../../src/domain/access/actor';
import { signData } from '../../../../../../src/domain/dns/dnssec/rrsig';
import { DnsRecord } from '../../../../../../src/domain/dns/records/dns-record';
import { typeDefinition } from '../../../../../../src/domain/dns/records/types/record-types';
import { aSigningKey, ModelZone } from '../../../../../support/dnssec/model-zone';
import { fillApex } from '../../../../../support/dnssec/random-zones';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const SOA = {
  primaryName: undefined,
  contact: undefined,
  timers: { refresh: 3600, retry: 600, expire: 1_209_600, negative: 300 },
};

function adding(...names: readonly string[]): ZoneChange {
  const added = names.map((name, number) =>
    DnsRecord.create({ type: 'A', name, content: '192.0.2.1' }, 'example.com', `rec_${name}_${number}`, NOW),
  );
  return { added, changed: [], removed: [] };
}

function touchedBy(change: ZoneChange): TouchedZone {
  return { ...touchedNames([change]), isWhole: false, expiring: new Set(), changes: [change] };
}

/** A signed zone, and what was written to it. */
async function signedZone() {
  let now = NOW;
  const clock = { now: () => now };
  const key = aSigningKey();
  const zone = new ModelZone('example.com', 'nsec', [key], NOW);
  fillApex(zone);
  await zone.sign('all');
  const der = key.opened.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const signChanges = new SignChanges({ seal: () => '', open: () => der }, SOA, clock, clock, {
    sign: async (privateKey, data) => data.map((each) => signData(privateKey, each)),
  });
  const written: DerivedChange[] = [];
  let reads = 0;
  const repository = {
    find: () => zone.find(),
    derivedAt: (domainId: string, names: readonly string[]) => {
      reads += 1;
      return zone.derivedAt(domainId, names);
    },
    rrsetsAt: (...of: Parameters<ModelZone['rrsetsAt']>) => zone.rrsetsAt(...of),
    linksBefore: (...of: Parameters<ModelZone['linksBefore']>) => zone.linksBefore(...of),
    readNames: (...of: Parameters<ModelZone['readNames']>) => zone.readNames(...of),
    write: async (_domainId: string, _serial: number, changes: readonly DerivedChange[]) => {
      written.push(...changes);
    },
  } as unknown as SigningRepository;
  return {
    zone,
    written,
    readsWhileCommitting: () => reads,
    setNow: (time: Date) => {
      now = time;
    },
    prepare: async (change: ZoneChange) =>
      signChanges.prepareChange(
        { before: zone, zones: { recordsAt: async () => new Map() } },
        await zone.find(),
        change,
      ),
    /** What the transaction of changes does before it writes them. */
    plan: async (...changes: readonly ZoneChange[]) =>
      signChanges.plan(
        repository,
        changes.map((change) => ({
          zone: { domainId: 'dom_1', version: 1, serial: zone.serial, recordCount: 0 },
          change,
          by: { actor: SERVICE, at: NOW },
          stored: new Map(),
        })),
        { recordsAt: async () => new Map() },
      ),
    /** What the transaction of a change does. */
    commit: async (change: ZoneChange, serials = 1) => {
      zone.serial += serials;
      for (const record of change.added) {
        const { number, encode } = typeDefinition('A');
        zone.set(record.name, { type: number, ttl: record.ttl, rdata: [encode(record.toState())] });
      }
      await signChanges.execute(repository, new Map([['dom_1', touchedBy(change)]]));
    },
  };
}

/** Signatures differ each time. */
function contentOf(changes: readonly DerivedChange[]): readonly string[] {
  return changes.map(({ after }) => `${after?.name} ${after?.type} ${after?.digest}`).toSorted();
}

describe('signatures that are made before a transaction', () => {
  it('are written as they are if the change leads to the serial that they were made for', async () => {
    const change = adding('a', 'b.c', 'z');
    const prepared = await signedZone();
    const unprepared = await signedZone();

    await prepared.prepare(change);
    await prepared.commit(change);
    await unprepared.commit(change);

    expect(contentOf(prepared.written)).toEqual(contentOf(unprepared.written));
    expect(prepared.readsWhileCommitting()).toBe(0);
    expect(unprepared.readsWhileCommitting()).toBe(1);
  });

  it('are not used days later, when a change whose transaction failed is repeated', async () => {
    const change = adding('a');
    const zone = await signedZone();
    const tenDaysLater = new Date(NOW.getTime() + 10 * 86_400_000);

    await zone.prepare(change);
    zone.setNow(tenDaysLater);
    await zone.commit(change);

    const refreshed = zone.written.map(({ after }) => after?.refreshAt.getTime() ?? 0);
    expect(Math.min(...refreshed)).toBeGreaterThan(tenDaysLater.getTime());
  });

  it('are not used for another change, nor if the zone changed meanwhile', async () => {
    const [ours, other] = [adding('ours'), adding('other')];
    const overtaken = await signedZone();
    const late = await signedZone();

    await overtaken.prepare(ours);
    await overtaken.commit(other);
    await late.prepare(ours);
    await late.commit(ours, 2);

    expect(overtaken.written.map(({ after }) => after?.name)).toContain('other');
    expect(overtaken.written.map(({ after }) => after?.name)).not.toContain('ours');
    expect(overtaken.readsWhileCommitting()).toBe(1);
    expect(late.readsWhileCommitting()).toBe(1);
  });
});

describe('signatures that a transaction makes before its first write', () => {
  it('are those that it would make after its writes, for all changes of the zone together', async () => {
    const [one, other] = [adding('a', 'b.c'), adding('z')];
    const planned = await signedZone();
    const unplanned = await signedZone();

    const [signatures] = await planned.plan(one, other);
    await signatures?.write();
    await unplanned.commit({ ...one, added: [...one.added, ...other.added] }, 2);

    expect(signatures?.changes).toEqual([one, other]);
    expect(contentOf(planned.written)).toEqual(contentOf(unplanned.written));
  });

  it('are made while the other statements of the transaction are on their way, without another read', async () => {
    const { plan, readsWhileCommitting } = await signedZone();
    const done: string[] = [];
    const [signatures] = await plan(adding('a'));
    const reads = readsWhileCommitting();

    const signed = signatures?.write().then(() => done.push('signatures'));
    process.nextTick(() => done.push('statements of the same turn'));
    await signed;

    expect(done).toEqual(['statements of the same turn', 'signatures']);
    expect(readsWhileCommitting()).toBe(reads);
  });

  it('are not made at the names of ALIAS records, whose addresses are not known yet', async () => {
    const { plan } = await signedZone();
    const alias = DnsRecord.fromState({
      ...(adding('a').added[0] as DnsRecord).toState(),
      type: 'ALIAS',
      content: 'target.example.net',
    });

    expect(await plan({ added: [], changed: [], removed: [alias] }, adding('b'))).toEqual([]);
  });
});

describe('signatures of one change', () => {
  it('are due at one time if a change is small, and at several within a day if it is large', async () => {
    const [small, large] = [await signedZone(), await signedZone()];
    const names = Array.from({ length: 300 }, (_each, index) => `h${index}`);

    await small.commit(adding('a', 'b.c', 'z'));
    await large.commit(adding(...names));

    const times = [small, large].map(({ written }) => [
      ...new Set(written.map(({ after }) => after?.refreshAt.getTime() ?? 0)),
    ]);
    expect(times.map(({ length }) => length)).toEqual([1, 2]);
    const all = times.flat();
    expect(Math.max(...all) - Math.min(...all)).toBeLessThan(86_400_000);
  });
});
