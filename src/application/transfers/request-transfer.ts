import { inject, injectable } from '../ports/inject';
import { Transfer } from '../../domain/registration/transfers/transfer';
import { assertNoApprovalNeeded } from '../access/approvals/approval-needed';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { transferRequested } from '../audit/transfer-audit';
import { UnitOfWork, type HookStore, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock, IdGenerator, SecretBox } from '../ports/system';
import { BindingQuotes, useQuote } from '../operations/binding-quotes';
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
    private readonly unitOfWork: UnitOfWork<
      'apiKeys' | 'audit' | 'domains' | 'keySpending' | 'transfers' | 'trustRules' | 'usedTokens' | HookStore
    >,
    @inject(TransferRunner) private readonly runner: TransferRunner,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: LifecycleClock,
    @inject(BindingQuotes) private readonly quotes: BindingQuotes,
  ) {}

  async execute(command: RequestTransferCommand, hook?: TransactionHook<Transfer>): Promise<Transfer> {
    const { accountId, actor, registrant, autoRenew = true, limit = {} } = command;
    const years = command.years ?? this.quotes.termOf(accountId, 'transfer', limit);
    const { name, term, price, formerExpiry } = await this.orders.review({ ...command, years });
    assertNoApprovalNeeded(actor, { kind: 'purchases', tags: [], total: price }, () => ({
      kind: 'transfer',
      name: name.value,
      years: term.years,
      price,
      registrant,
      autoRenew,
      authCode: command.authCode,
    }));
    const order = { kind: 'transfer', name: name.value, years: term.years, price } as const;
    const quote = this.quotes.accept(accountId, limit, order);
    const id = command.transferId ?? this.ids.next('tr');
    const sealedAuthCode = this.secrets.seal(command.authCode ?? '', authCodePurpose(id));
    const transfer = Transfer.request(
      { id, accountId, actor, name, years: term.years, price, formerExpiry, registrant, autoRenew, sealedAuthCode },
      this.lifecycleClock.now(),
    );
    await this.unitOfWork.run(async (stores) => {
      await assertAbsent(stores, accountId, name);
      await useQuote(stores, quote);
      await reserveSpend(stores, { id, actor, price }, this.clock.now());
      await stores.transfers.add(transfer);
      await stores.audit.append(transferRequested(transfer.toState(), this.clock.now()));
      await hook?.(stores, transfer);
    }, accountId);
    this.runner.wake(transfer.toState());
    return transfer;
  }
}
