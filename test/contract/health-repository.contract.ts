import { checkOf } from '../../src/domain/health/health-check';
import { reportOf } from '../../src/domain/health/health-report';
import { after, anAccount, storedDomain, T0, type StorageUnderTest } from './storage-under-test';

const WARNING = checkOf('transfer_lock', { state: 'warning', summary: 'The lock is off.', evidence: ['é', 'b'] });
const OK = checkOf('spf', { state: 'ok', summary: 'One record.' });

/** What every store of the results of health checks must do. */
export function healthRepositoryContract(storage: () => StorageUnderTest): void {
  describe('results of health checks', () => {
    it('are replaced by the next result of the domain', async () => {
      const { id: domainId } = await storedDomain(storage(), await anAccount(storage()));
      const { health } = storage();
      expect(await health.find(domainId)).toBeUndefined();

      for (const report of [reportOf(T0, [WARNING], []), reportOf(after(1), [OK], [])]) {
        await storage().unitOfWork.run((stores) => stores.health.save([{ domainId, report }]));
        expect(await health.find(domainId)).toEqual(report);
        expect(await health.statesOf([domainId, 'dom_unknown'])).toEqual(new Map([[domainId, report.state]]));
      }
    });

    it('are dropped for a domain that does not exist', async () => {
      const report = reportOf(T0, [OK], []);

      await storage().unitOfWork.run(({ health }) => health.save([{ domainId: 'dom_unknown', report }]));

      expect(await storage().health.find('dom_unknown')).toBeUndefined();
    });

    it('have a walk through all domains that are not deleted or transferred, checked or not', async () => {
      const accountId = await anAccount(storage());
      const { id: unchecked } = await storedDomain(storage(), accountId);
      const { id: checked } = await storedDomain(storage(), accountId);
      const { id: gone } = await storedDomain(storage(), accountId, { status: 'gone' });
      await storage().unitOfWork.run(({ health }) =>
        health.save([{ domainId: checked, report: reportOf(after(5), [OK], []) }]),
      );

      let afterId: string | undefined;
      const seen = new Map<string, Date | null>();
      for (;;) {
        const page = await storage().health.walk(50, afterId);
        for (const { id, checkedAt } of page) seen.set(id, checkedAt);
        afterId = page.at(-1)?.id;
        if (afterId === undefined) break;
      }

      expect(seen.get(unchecked)).toBeNull();
      expect(seen.get(checked)).toEqual(after(5));
      expect(seen.has(gone)).toBe(false);
    });
  });
}
