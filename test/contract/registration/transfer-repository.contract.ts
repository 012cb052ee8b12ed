import { DomainName } from '../../../src/domain/shared/domain-name';
import type { Transfer } from '../../../src/domain/registration/transfers/transfer';
import { aTransfer } from '../../support/data/a-transfer';
import { after, allOf, anAccount, fresh, T0, type StorageUnderTest } from '../storage-under-test';

const ERROR = { code: 'REGISTRY_UNAVAILABLE', message: 'no answer' } as const;

/** What every store of transfers must do. */
export function transferRepositoryContract(storage: () => StorageUnderTest): void {
  async function stored(accountId?: string, at = T0): Promise<Transfer> {
    const transfer = aTransfer(
      { id: fresh('tr_'), accountId: accountId ?? (await anAccount(storage())), name: `${fresh('name-')}.com` },
      at,
    );
    await storage().unitOfWork.run(({ transfers }) => transfers.add(transfer));
    return transfer;
  }

  const found = async (transfer: Transfer) =>
    (await storage().transfers.find(transfer.toState().accountId, transfer.id))?.toState();
  const save = (transfer: Transfer) => storage().unitOfWork.run(({ transfers }) => transfers.save(transfer));
  const isDue = async (transfer: Transfer, now: Date) =>
    (await storage().transfers.due(now, 10_000)).some(({ id }) => id === transfer.id);

  const endLeases = (until: Date) => storage().unitOfWork.run(({ transfers }) => transfers.endLeases(until, after(5)));

  describe('transfers', () => {
    it('finds a transfer as it was added, for its account only', async () => {
      const transfer = await stored();

      expect(await found(transfer)).toEqual(transfer.toState());
      expect(await storage().transfers.find('acc_other', transfer.id)).toBeUndefined();
      expect(
        await storage().unitOfWork.run(({ transfers }) => transfers.lock('acc_other', transfer.id)),
      ).toBeUndefined();
    });

    it('saves every state of a transfer', async () => {
      const transfer = await stored();
      const steps: ((each: Transfer) => void)[] = [
        (each) => each.begin('worker', after(60_000), after(1)),
        (each) => each.markOutcomeUnknown(ERROR, 0.5, after(2)),
        (each) => each.begin('another worker', after(120_000), after(3)),
        (each) => each.accept({ requestedAt: after(3), endsAt: after(9_000) }, after(5_000), after(4)),
        (each) => each.requestCancellation(after(5)),
        (each) => each.refuseCancellation(ERROR, after(6_000), after(6)),
        (each) => each.approve({ charged: { minor: 1_100, currency: 'USD' } }, after(7_000), after(7)),
        (each) => each.complete('dom_1', {}, after(8)),
      ];

      for (const step of steps) {
        step(transfer);
        await save(transfer);
        expect(await found(transfer)).toEqual(transfer.toState());
      }
    });

    it('refuses a second unfinished transfer of a name, of any account, and allows one after the first has ended', async () => {
      const first = await stored();
      const second = aTransfer({ id: fresh('tr_'), accountId: await anAccount(storage()), name: first.toState().name });
      const add = () => storage().unitOfWork.run(({ transfers }) => transfers.add(second));
      const open = () =>
        storage().unitOfWork.run(({ transfers }) =>
          transfers.lockOpenByName(DomainName.fromState(first.toState().name)),
        );

      await expect(add()).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' });
      expect((await open())?.id).toBe(first.id);
      first.end('rejected', ERROR, after(1));
      await save(first);
      expect(await open()).toBeUndefined();
      await add();

      expect((await open())?.id).toBe(second.id);
    });

    it('finds a transfer when it is due or its lease ran out, and no ended one', async () => {
      const transfer = await stored(undefined, after(10));

      expect([await isDue(transfer, after(9)), await isDue(transfer, after(10))]).toEqual([false, true]);
      transfer.begin('worker', after(60_000), after(10));
      await save(transfer);
      expect([await isDue(transfer, after(59_999)), await isDue(transfer, after(60_000))]).toEqual([false, true]);
      transfer.end('rejected', ERROR, after(20));
      await save(transfer);
      expect(await isDue(transfer, after(1_000_000))).toBe(false);
    });

    it('lists the transfers of an account newest first, in pages', async () => {
      const accountId = await anAccount(storage());
      const ids = [];
      for (const at of [0, 1, 1, 2, 3]) ids.push((await stored(accountId, after(at))).id);

      const listed = await allOf((last?: { createdAt: Date; id: string }) =>
        storage().transfers.page(accountId, 2, last),
      );

      expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    });

    it("selects an account's transfers from a list of ids", async () => {
      const [own, other] = [await stored(), await stored()];
      const { accountId } = own.toState();

      expect(await storage().transfers.ownedAmong(accountId, [own.id, other.id, 'tr_unknown'])).toEqual(
        new Set([own.id]),
      );
    });

    it('finds due transfers in turns: the longest due of each account first, then the second of each', async () => {
      const [one, other] = [await anAccount(storage()), await anAccount(storage())];
      const first = await stored(one, after(-5_000));
      const second = await stored(one, after(-4_000));
      const third = await stored(one, after(-3_000));
      const ofOther = await stored(other, after(-2_000));

      const due = (await storage().transfers.due(after(-2_000), 10_000)).filter((each) =>
        [one, other].includes(each.accountId),
      );

      expect(due.map(({ id }) => id)).toEqual([first.id, ofOther.id, second.id, third.id]);
      expect(due[1]).toEqual({ id: ofOther.id, name: ofOther.name.value, accountId: other });
    });

    it('extends the leases that their owner still holds, and ends leases early, except newer ones', async () => {
      const transfer = await stored();
      transfer.begin('worker', after(60_000), T0);
      await save(transfer);
      const extend = (owner: string) =>
        storage().unitOfWork.run(({ transfers }) => transfers.extendLeases([transfer.id], owner, after(90_000)));

      await extend('another');
      expect((await found(transfer))?.leaseUntil).toEqual(after(60_000));
      await extend('worker');
      expect((await found(transfer))?.leaseUntil).toEqual(after(90_000));
      await endLeases(after(89_999));
      expect(await isDue(transfer, after(5))).toBe(false);
      await endLeases(after(90_000));

      expect(await isDue(transfer, after(5))).toBe(true);
    });
  });
}
