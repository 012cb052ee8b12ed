import type { DerivedChange, DerivedRrset, NewSigningKey } from '../../../src/application/ports/dns/signing-repository';
import type { Stores } from '../../../src/application/ports/storage/unit-of-work';
import { canonicalKey } from '../../../src/domain/dns/dnssec/canonical-names';
import { RR_TYPE } from '../../../src/domain/dns/dnssec/rr-types';
import { after, anAccount, BY, fresh, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

function aKey(): NewSigningKey {
  return { id: fresh('zk_'), algorithm: 13, keyTag: 4_711, publicKey: 'AA==', sealedPrivateKey: 'sealed' };
}

/** An NSEC record, which is a link of the chain, or the signatures of an RRset. */
function derived(name: string, type: number, refreshAt = after(1_000)): DerivedRrset {
  const isLink = type === RR_TYPE.NSEC;
  const common = { name, type, ttl: 300, signatures: [Buffer.from(`${name} signed`)], digest: 'd', refreshAt };
  return { ...common, rdata: isLink ? [Buffer.from('next')] : null, chainKey: isLink ? canonicalKey(name) : null };
}

/** A link of an NSEC3 chain. */
function nsec3(name: string): DerivedRrset {
  return { ...derived(name, RR_TYPE.NSEC3), rdata: [Buffer.from('n')], chainKey: fresh('h') };
}

const added = (...rrsets: readonly DerivedRrset[]) =>
  rrsets.map((rrset): DerivedChange => ({ before: null, after: rrset }));
const sorted = (rrsets: readonly DerivedRrset[]) =>
  rrsets.toSorted((one, other) => one.name.localeCompare(other.name) || one.type - other.type);

/** What every store of keys and signatures must do. */
export function signingRepositoryContract(storage: () => StorageUnderTest): void {
  const run = <T>(work: (signing: Stores['signing']) => Promise<T>) =>
    storage().unitOfWork.run(({ signing }) => work(signing));
  const aZone = async (): Promise<string> => {
    const { id } = await storedDomain(storage(), await anAccount(storage()));
    await storage().unitOfWork.run(({ zones }) => zones.create(id, BY));
    return id;
  };
  const aSignedZone = async (...rrsets: readonly DerivedRrset[]): Promise<string> => {
    const id = await aZone();
    await run(async (signing) => {
      await signing.set(id, { denial: 'nsec', cds: 'none' });
      await signing.write(id, 2, added(...rrsets), T0);
    });
    return id;
  };
  const zoneOf = async (id: string) => {
    const zone = await run((signing) => signing.find(id));
    if (!zone) throw new Error('the zone is not signed');
    return zone;
  };

  describe('keys and signatures', () => {
    it('belong to a zone that is marked as signed, until the mark is removed', async () => {
      const id = await aZone();

      expect(await run((signing) => signing.find(id))).toBeUndefined();
      expect(await run((signing) => signing.findAny(id))).toMatchObject({ denial: null, cds: 'none', keys: [] });
      await run((signing) => signing.set(id, { denial: 'nsec3', cds: 'keys' }));
      expect(await run((signing) => signing.find(id))).toMatchObject({ domainId: id, denial: 'nsec3', cds: 'keys' });
      await run((signing) => signing.set(id, undefined));
      expect(await run((signing) => signing.find(id))).toBeUndefined();
      expect(await run((signing) => signing.findAny('unknown'))).toBeUndefined();
    });

    it('has its keys oldest first, and the first time at which each was retired', async () => {
      const id = await aSignedZone();
      const [one, two] = [aKey(), aKey()];
      await run(async (signing) => {
        await signing.addKey(id, two, after(2));
        await signing.addKey(id, one, after(1));
        await signing.retireKey(id, one.id, after(3));
        await signing.retireKey(id, one.id, after(4));
      });

      const both = (await zoneOf(id)).keys;
      await run((signing) => signing.removeKey(id, two.id));

      expect(both).toEqual([
        { ...one, createdAt: after(1), retiredAt: after(3) },
        { ...two, createdAt: after(2), retiredAt: null },
      ]);
      expect((await zoneOf(id)).keys).toEqual([both[0]]);
    });

    it('are read by name, or all, as they were written last', async () => {
      const [a, link, b] = [derived('a', 1), derived('a', RR_TYPE.NSEC), derived('b', 1)];
      const id = await aSignedZone(a, link, b);
      const renewed = { ...a, signatures: [Buffer.from('renewed')], refreshAt: after(2_000) };

      await run((signing) =>
        signing.write(
          id,
          3,
          [
            { before: a, after: renewed },
            { before: b, after: null },
          ],
          T0,
        ),
      );

      expect(sorted(await run((signing) => signing.derived(id)))).toEqual(sorted([renewed, link]));
      expect(sorted(await run((signing) => signing.derivedAt(id, ['a', 'b'])))).toEqual(sorted([renewed, link]));
      expect(await run((signing) => signing.derivedAt(id, ['b']))).toEqual([]);
    });

    it('are not written by a unit of work that fails', async () => {
      const id = await aSignedZone(derived('a', 1));

      const failing = run(async (signing) => {
        await signing.addKey(id, aKey(), T0);
        await signing.write(id, 3, added(derived('b', 1)), T0);
        throw new Error('undone');
      });

      await expect(failing).rejects.toThrow('undone');
      expect((await zoneOf(id)).keys).toEqual([]);
      expect(await run((signing) => signing.derived(id))).toHaveLength(1);
    });

    it('finds the link before a place of the chain, and the last one before its start', async () => {
      const [apex, b, d] = [derived('@', RR_TYPE.NSEC), derived('b', RR_TYPE.NSEC), derived('x.d', RR_TYPE.NSEC)];
      const id = await aSignedZone(apex, b, d, derived('c', 1));
      const zone = await zoneOf(id);

      const names = (await run((signing) => signing.linksBefore(zone, ['', 'b', 'c', 'd!y']))).map((row) => row?.name);

      expect(names).toEqual(['x.d', '@', 'b', 'x.d']);
    });

    it('has no link in an empty chain', async () => {
      const id = await aSignedZone(derived('a', 1));
      const zone = await zoneOf(id);

      expect(await run((signing) => signing.linksBefore(zone, ['a']))).toEqual([undefined]);
    });

    it('finds NSEC3 names below another one, at most as many as wanted', async () => {
      const id = await aSignedZone(...['a', 'b.a', 'c.b.a', 'aa', 'z'].map(nsec3));

      expect((await run((signing) => signing.linkedNamesBelow(id, 'a', 9))).toSorted()).toEqual(['b.a', 'c.b.a']);
      expect(await run((signing) => signing.linkedNamesBelow(id, 'a', 1))).toHaveLength(1);
    });

    it('are due for renewal when their time has come, soonest first', async () => {
      const past = new Date('2019-01-01T00:00:00.000Z');
      const [soon, sooner, late] = [derived('a', 1, after(20)), derived('b', 1, past), derived('c', 1, after(90))];
      const id = await aSignedZone(soon, late, sooner);

      const expiring = (before: Date, limit: number) => run((signing) => signing.expiring(id, before, limit));

      expect(await run((signing) => signing.due(past, 10))).toContain(id);
      expect(await run((signing) => signing.due(past, 10, [id, 'dom_other']))).not.toContain(id);
      expect(await run((signing) => signing.due(new Date(past.getTime() - 1), 10))).not.toContain(id);
      expect(await expiring(after(20), 10)).toEqual([sooner, soon]);
      expect(await expiring(after(90), 1)).toEqual([sooner]);
    });
  });
}
