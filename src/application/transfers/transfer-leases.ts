import { randomUUID } from 'node:crypto';
import { inject, injectable } from '../ports/inject';
import { readLagMsOf, TldPolicies } from '../../domain/registration/names/tld-policy';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import type { TransferState } from '../../domain/registration/transfers/transfer-state';
import { OperationSettings } from '../shared/operation-settings';
import { TransferReader, type NamedTransfer } from '../ports/registration/operations-and-transfers';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import { LifecycleClock } from '../ports/system';
import type { CompletionStores } from './transfer-completion';

/** The leases under which this process runs transfers. */
@injectable()
export class TransferLeases {
  private readonly owner = randomUUID();

  constructor(
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<
      'audit' | 'domains' | 'events' | 'keySpending' | 'operations' | 'transfers' | 'zones' | 'zoneSignings'
    >,
    @inject(TransferReader) private readonly transfers: TransferReader,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(OperationSettings) private readonly settings: OperationSettings,
    @inject(TldPolicies) private readonly policies: TldPolicies,
  ) {}

  get extendEveryMs(): number {
    return this.settings.leaseMs / 3;
  }

  due(limit: number): Promise<readonly NamedTransfer[]> {
    return this.transfers.due(this.lifecycleClock.now(), limit);
  }

  /** Undefined if the transfer is not due or another process runs it. */
  claim(id: string): Promise<Transfer | undefined> {
    return this.unitOfWork.run(async ({ transfers }) => {
      const now = this.lifecycleClock.now();
      const transfer = await transfers.lockIfFree(id);
      if (!transfer?.isDue(now)) return undefined;
      transfer.begin(this.owner, this.leaseEnd(now), now, readLagMsOf(this.policies.forName(transfer.name)));
      await transfers.save(transfer);
      return transfer;
    });
  }

  /** Changes a claimed transfer in a unit of work. Returns undefined and changes nothing if the lease was lost. */
  commit(
    claimed: Transfer,
    change: (stores: CompletionStores & Pick<Stores, 'events' | 'keySpending'>, transfer: Transfer) => Promise<void>,
  ): Promise<TransferState | undefined> {
    return this.unitOfWork.run(async (stores) => {
      const transfer = await stores.transfers.lockAny(claimed.id);
      if (!transfer?.isLeasedBy(this.owner, claimed.transactionId)) return undefined;
      await change(stores, transfer);
      await stores.transfers.save(transfer);
      return transfer.toState();
    }, claimed.toState().accountId);
  }

  async extend(ids: readonly string[]): Promise<void> {
    const until = this.leaseEnd(this.lifecycleClock.now());
    await this.unitOfWork.run(({ transfers }) => transfers.extendLeases(ids, this.owner, until));
  }

  /** Ends the leases of a killed process. Only this process uses the database. */
  async endFormer(): Promise<void> {
    const now = this.lifecycleClock.now();
    await this.unitOfWork.run(({ transfers }) => transfers.endLeases(this.leaseEnd(now), now));
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.settings.leaseMs);
  }
}
