import { inject, injectable } from '../ports/inject';
import { Transfer } from '../../domain/registration/transfer';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { transferRequested } from '../audit/transfer-audit';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock, IdGenerator, SecretBox } from '../ports/system';
import { assertAgreedPrice } from '../registration/assert-agreed';
import { authCodePurpose } from './auth-code-purpose';
import { assertAbsent, TransferOrders, type RequestTransferCommand } from './transfer-orders';
import { TransferRunner } from './transfer-runner';

/**
 * Stores a transfer of a name from another registrar, and starts it. It may take days.
 * @throws LimitedKey, ValidationError, DomainStatusConflict or OperationInProgress for a name that is here or on its way,
 *   RegistryRejected, RegistryUnavailable; then nothing is stored
 */
@injectable()
export class RequestTransfer {
  constructor(
    @inject(TransferOrders) private readonly orders: TransferOrders,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'apiKeys' | 'audit' | 'domains' | 'keySpending' | 'transfers' | HookStore>,
    @inject(TransferRunner) private readonly runner: TransferRunner,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
  ) {}

  async execute(command: RequestTransferCommand, hook?: TransactionHook<Transfer>): Promise<Transfer> {
    const { accountId, actor, registrant, autoRenew = true } = command;
    const { name, term, price, formerExpiry } = await this.orders.review(command);
    assertAgreedPrice(command.agreedPrice, price);
    const id = this.ids.next('tr');
    const sealedAuthCode = this.secrets.seal(command.authCode ?? '', authCodePurpose(id));
    const transfer = Transfer.request(
      { id, accountId, actor, name, years: term.years, price, formerExpiry, registrant, autoRenew, sealedAuthCode },
      this.lifecycleClock.now(),
    );
    await this.unitOfWork.run(async (stores) => {
      await assertAbsent(stores, accountId, name);
      await reserveSpend(stores, { id, actor, price }, this.clock.now());
      await stores.transfers.add(transfer);
      await stores.audit.append(transferRequested(transfer.toState(), this.clock.now()));
      await hook?.(stores, transfer);
    }, accountId);
    this.runner.wake(transfer.toState());
    return transfer;
  }
}
