import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, maySeeName } from '../../domain/access/key-permissions';
import { TransferNotFound } from '../../domain/registration/registration-errors';
import { TldPolicies } from '../../domain/registration/names/tld-policy';
import type { Transfer } from '../../domain/registration/transfers/transfer';
import { cancellationRequested, transferEnded } from '../audit/transfer-audit';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system';
import { assertSupported } from '../operations/assert-supported';
import { TransferRunner } from './transfer-runner';

/**
 * Cancels a transfer: at once if its request was never sent, otherwise by asking the registry in the background.
 * @throws LimitedKey, TransferNotFound, DomainStatusConflict, RegistryRejected if the registrar cannot cancel transfers
 */
@injectable()
export class CancelTransfer {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'audit' | 'keySpending' | 'transfers' | HookStore>,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(TransferRunner) private readonly runner: TransferRunner,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(
    { accountId, actor, transferId }: Requester & { readonly transferId: string },
    hook?: TransactionHook<Transfer>,
  ): Promise<Transfer> {
    assertActionAllowed(actor, 'transfer');
    const cancelled = await this.unitOfWork.run(async (stores) => {
      const { transfers, audit } = stores;
      const transfer = await transfers.lock(accountId, transferId);
      if (!transfer || !maySeeName(actor, transfer.name.value)) throw new TransferNotFound();
      const before = transfer.toState();
      transfer.requestCancellation(this.lifecycleClock.now());
      if (!transfer.finished) assertSupported(this.policies, transfer.name, 'cancel_transfer');
      if (transfer.toState() !== before) {
        await transfers.save(transfer);
        await audit.append(cancellationRequested(transfer.toState(), actor, this.clock.now()));
        if (transfer.finished) {
          await stores.keySpending.release(transfer.id);
          await audit.append(transferEnded(transfer.toState(), this.clock.now(), actor));
        }
      }
      await hook?.(stores, transfer);
      return transfer;
    }, accountId);
    if (!cancelled.finished) this.runner.wake(cancelled.toState());
    return cancelled;
  }
}
