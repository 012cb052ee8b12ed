import { openAccount } from '../../src/domain/access/account';
import { SERVICE } from '../../src/domain/access/actor';
import { DnsRecord } from '../../src/domain/dns/records/dns-record';
import { DomainName } from '../../src/domain/shared/domain-name';
import { DomainNotFound } from '../../src/domain/shared/domain-errors';
import { Operation } from '../../src/domain/registration/operations/operation';
import { inStatus } from '../support/data/a-domain';
import {
  after,
  anAccount,
  BY,
  fresh,
  freshDomain,
  type StorageUnderTest,
  storedDomain,
  T0,
} from './storage-under-test';

/** What every unit of work must do. */
export function unitOfWorkContract(storage: () => StorageUnderTest): void {
  describe('a unit of work', () => {
    it('returns the result of the work and commits what it wrote', async () => {
      const domain = freshDomain(await anAccount(storage()));

      const answer = await storage().unitOfWork.run(async ({ domains, zones }) => {
        await domains.add(domain);
        await zones.create(domain.id, BY);
        return 'done';
      });

      expect(answer).toBe('done');
      expect((await storage().domains.find(domain.toState().accountId, domain.id))?.id).toBe(domain.id);
    });

    it('rolls everything back if the work throws, and rethrows the error', async () => {
      const accountId = await anAccount(storage());
      const [kept, lost] = [await storedDomain(storage(), accountId), freshDomain(accountId)];
      const failure = new DomainNotFound();

      const unit = storage().unitOfWork.run(async ({ accounts, domains, operations, zones }) => {
        await accounts.add(openAccount('acc_undone', 'undone', T0));
        await domains.add(lost);
        await zones.create(lost.id, BY);
        await operations.add(
          Operation.queue(
            { id: 'op_undone', accountId, actor: SERVICE, domainId: lost.id, request: { kind: 'issue_auth_code' } },
            T0,
          ),
        );
        await domains.lockAny(kept.id);
        kept.setAutoRenew(false, after(1));
        await domains.save(kept);
        throw failure;
      });

      await expect(unit).rejects.toBe(failure);
      expect(await storage().accounts.find('acc_undone')).toBeUndefined();
      expect(await storage().domains.find(accountId, lost.id)).toBeUndefined();
      expect((await storage().domains.find(accountId, kept.id))?.toState().autoRenew).toBe(true);
      expect(
        await storage().unitOfWork.run(async ({ operations, zones }) => [
          await operations.find('op_undone'),
          await zones.lock(lost.id),
        ]),
      ).toEqual([undefined, undefined]);
    });

    it('hides uncommitted changes from readers', async () => {
      const accountId = await anAccount(storage());
      const domain = freshDomain(accountId);

      const seen = await storage().unitOfWork.run(async ({ domains }) => {
        await domains.add(domain);
        return [
          await storage().domains.find(accountId, domain.id),
          (await storage().domains.page(accountId, {}, 10)).items.length,
        ];
      });

      expect(seen).toEqual([undefined, 0]);
      expect(await storage().domains.findByName(accountId, DomainName.fromState(domain.toState().name))).toBeDefined();
    });

    it('shows the work its own changes', async () => {
      const domain = freshDomain(await anAccount(storage()));

      const status = await storage().unitOfWork.run(async ({ domains }) => {
        await domains.add(domain);
        await domains.save(inStatus(domain, 'expired'));
        return (await domains.lockAny(domain.id))?.status;
      });

      expect(status).toBe('expired');
    });

    it('keeps a commit if a concurrent unit of work is rolled back', async () => {
      const accountId = await anAccount(storage());
      const kept = Array.from({ length: 5 }, () => freshDomain(accountId));
      const lost = Array.from({ length: 5 }, () => freshDomain(accountId));

      const outcomes = await Promise.allSettled(
        kept.flatMap((domain, index) => [
          storage().unitOfWork.run(({ domains }) => domains.add(domain)),
          storage().unitOfWork.run(async ({ domains }) => {
            await domains.add(lost[index]!);
            throw new DomainNotFound();
          }),
        ]),
      );

      expect(outcomes.map(({ status }) => status)).toEqual(kept.flatMap(() => ['fulfilled', 'rejected']));
      expect((await storage().domains.page(accountId, {}, 100)).items.map(({ id }) => id)).toEqual(
        kept.map(({ id }) => id),
      );
    });

    it('lets writers of one zone take turns, so that no change is lost', async () => {
      const domain = await storedDomain(storage(), await anAccount(storage()));
      await storage().unitOfWork.run(({ zones }) => zones.create(domain.id, BY));
      const add = (index: number) =>
        storage().unitOfWork.run(async ({ zones }) => {
          const zone = await zones.lock(domain.id);
          const record = DnsRecord.create(
            { type: 'A', name: 'www', content: `192.0.2.${index}` },
            domain.toState().name,
            fresh('rec_'),
            after(index),
          );
          if (zone) await zones.apply([{ zone, change: { added: [record], changed: [], removed: [] }, by: BY }]);
        });

      await Promise.all(Array.from({ length: 8 }, (_, index) => add(index)));

      expect(await storage().unitOfWork.run(({ zones }) => zones.lock(domain.id))).toEqual({
        domainId: domain.id,
        version: 9,
        serial: 9,
        recordCount: 8,
      });
      expect(await storage().records.page(domain.id, {}, 100)).toHaveLength(8);
    });

    it('lets writers of one domain take turns, so that each sees the previous change', async () => {
      const accountId = await anAccount(storage());
      const domain = await storedDomain(storage(), accountId, { nameservers: [] });
      const append = (host: string) =>
        storage().unitOfWork.run(async ({ domains }) => {
          const locked = await domains.lock(accountId, domain.id);
          locked?.delegateTo([...locked.toState().nameservers, host], after(1));
          if (locked) await domains.save(locked);
        });

      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(append));

      expect((await storage().domains.find(accountId, domain.id))?.toState().nameservers.toSorted()).toEqual([
        'a',
        'b',
        'c',
        'd',
        'e',
        'f',
      ]);
    });
  });
}
