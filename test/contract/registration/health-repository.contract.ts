import { checkOf } from '../../../src/domain/health/health-check';
import { reportOf, type HealthReport } from '../../../src/domain/health/health-report';
import { aDomain } from '../../support/data/a-domain';
import { after, anAccount, storedDomain, T0, type StorageUnderTest } from '../storage-under-test';

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

    it('return what the state of each domain was', async () => {
      const accountId = await anAccount(storage());
      const { id: domainId, name } = await storedDomain(storage(), accountId);
      const save = (report: HealthReport) =>
        storage().unitOfWork.run(({ health }) =>
          health.save([
            { domainId, report },
            { domainId: 'dom_none', report },
          ]),
        );
      const [warning, ok] = [reportOf(T0, [WARNING], []), reportOf(after(1), [OK], [])];

      const changes = [await save(warning), await save(ok)];

      const domain = { id: domainId, name: name.value };
      expect(changes).toEqual([
        [{ accountId, domain, before: null, after: warning }],
        [{ accountId, domain, before: 'warning', after: ok }],
      ]);
    });

    it('are dropped for a domain that does not exist', async () => {
      const report = reportOf(T0, [OK], []);

      await storage().unitOfWork.run(({ health }) => health.save([{ domainId: 'dom_unknown', report }]));

      expect(await storage().health.find('dom_unknown')).toBeUndefined();
    });

    it('make a domain due again when they are too old; unchecked domains are due, those that have ended are not', async () => {
      const accountId = await anAccount(storage());
      const { unitOfWork } = storage();
      const [unchecked, early, late, failed, gone] = await Promise.all(
        Array.from({ length: 5 }, () => storedDomain(storage(), accountId)),
      );
      if (!unchecked || !early || !late || !failed || !gone) throw new Error('five domains');
      await unitOfWork.run(async ({ health, domains }) => {
        await health.save([
          { domainId: late.id, report: reportOf(after(7), [OK], []) },
          { domainId: early.id, report: reportOf(after(5), [OK], []) },
        ]);
        await health.postpone(failed.id, after(6));
        const ended = await domains.lockAny(gone.id);
        if (!ended) throw new Error('not stored');
        await domains.save(aDomain({ ...ended.toState(), status: 'gone' }));
      });
      const own = new Set([unchecked, early, late, failed, gone].map(({ id }) => id));
      const due = async (latest: Date): Promise<readonly string[]> =>
        (await storage().health.due(latest, 1_000_000)).map(({ id }) => id).filter((id) => own.has(id));

      expect(await due(after(4))).toEqual([unchecked.id]);
      expect(await due(after(5))).toEqual([unchecked.id, early.id]);
      expect(await due(after(7))).toEqual([unchecked.id, early.id, failed.id, late.id]);
      expect(await storage().health.find(failed.id)).toBeUndefined();
    });
  });
}
