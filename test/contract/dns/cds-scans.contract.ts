import type { DomainState } from '../../../src/domain/registration/domain';
import type { CdsScanState } from '../../../src/domain/dns/dnssec/parent/cds-scan';
import { ZoneSigning } from '../../../src/domain/dns/dnssec/zone-signing';
import { after, anAccount, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

const aScan = (domainId: string): CdsScanState => ({
  domainId,
  outcome: 'none',
  reason: null,
  scannedAt: T0,
  dueAt: after(1_000),
  inception: null,
  waiting: null,
});

/** What every store of scans for CDS records must do. */
export function cdsScansContract(storage: () => StorageUnderTest): void {
  const save = (scan: CdsScanState) => storage().unitOfWork.run(({ cdsScans }) => cdsScans.save(scan));
  const candidateIds = async (now: Date) => (await storage().cdsScans.candidates(now, '', 1_000)).map(({ id }) => id);
  describe('scans for CDS records', () => {
    it('are stored and replaced', async () => {
      const { id } = await storedDomain(storage(), await anAccount(storage()));
      const signer = { keyTag: 1, algorithm: 13, digestType: 2, digest: 'AB' };
      await save({ ...aScan(id), outcome: 'waiting', waiting: { dsRecords: [signer], since: T0 } });
      const waiting = await storage().cdsScans.find(id);
      const refused: CdsScanState = { ...aScan(id), outcome: 'refused', reason: 'too old', inception: 1_795_000_000 };
      await save(refused);

      expect(waiting?.waiting).toEqual({ dsRecords: [signer], since: T0 });
      expect(await storage().cdsScans.find(id)).toEqual(refused);
      expect(await storage().cdsScans.find('dom_none')).toBeUndefined();
    });

    it('are due for served domains that were not scanned lately and are not signed here', async () => {
      const account = await anAccount(storage());
      const [first, scanned, signed, gone] = [
        await storedDomain(storage(), account),
        await storedDomain(storage(), account),
        await storedDomain(storage(), account),
        await storedDomain(storage(), account, { status: 'redemption' }),
      ];
      await save(aScan(scanned.id));
      await storage().unitOfWork.run(({ zoneSignings }) =>
        zoneSignings.add(ZoneSigning.request(signed.id, 'nsec', T0)),
      );

      const ofTest = new Set([first.id, scanned.id, signed.id, gone.id]);
      const due = async (now: Date) => (await candidateIds(now)).filter((id) => ofTest.has(id));

      expect(await due(T0)).toEqual([first.id]);
      const named = async ({ name }: Pick<DomainState, 'name'>) => (await storage().cdsScans.candidate(name))?.id;
      expect([await named(first.toState()), await named(scanned.toState())]).toEqual([first.id, scanned.id]);
      expect([await named(signed.toState()), await named(gone.toState())]).toEqual([undefined, undefined]);
      expect(await named({ name: 'not-here.example' })).toBeUndefined();
      expect(await due(after(1_000))).toEqual([first.id, scanned.id].toSorted());
      const [candidate] = await storage().cdsScans.candidates(T0, '', 1_000);
      const next = await storage().cdsScans.candidates(T0, candidate?.id ?? '', 1);
      expect(next.map(({ id }) => id)).not.toContain(candidate?.id);
    });
  });
}
