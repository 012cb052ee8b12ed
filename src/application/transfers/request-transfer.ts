import { inject, injectable } from 'inversify';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/registration/domain-name';
import { DomainStatusConflict, OperationInProgress } from '../../domain/registration/errors';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { TldPolicies } from '../../domain/registration/tld-policy';
import { Transfer } from '../../domain/registration/transfer';
import type { Money } from '../../domain/shared/money';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import { reserveSpend } from '../access/api-keys/reserve-spend';
import { transferRequested } from '../audit/transfer-audit';
import { AccountRegistries } from '../ports/registry/account-registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import { UnitOfWork, type Stores, type TransactionHook } from '../ports/storage/unit-of-work';
import { Clock, LifecycleClock } from '../ports/system/clock';
import { IdGenerator } from '../ports/system/id-generator';
import { SecretBox } from '../ports/system/secret-box';
import { assertAgreedPrice } from '../registration/assert-agreed';
import { assertSupported } from '../registration/assert-supported';
import { authCodePurpose } from './auth-code-purpose';
import { TransferRunner } from './transfer-runner';

export interface RequestTransferCommand extends Requester {
  readonly name: string;
  /** Secret: never logged, stored sealed. */
  readonly authCode: string;
  /** Default: the shortest term of the TLD. */
  readonly years?: number | undefined;
  readonly registrant: Registrant;
  readonly autoRenew?: boolean | undefined;
  /** The price that the user agreed to; absent: any. */
  readonly agreedPrice?: Money | undefined;
}

/** A validated transfer with its price, which includes the years that it adds. */
export interface TransferOrder {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly price: Money;
}

/** EPP's authInfo has no limit; this is what registrars use and a form can show. */
const MAX_AUTH_CODE = 255;

/**
 * Stores a transfer of a name from another registrar, and starts it. It may take days.
 * @throws LimitedKey, ValidationError, DomainStatusConflict or OperationInProgress for a name that is here or on its way,
 *   RegistryRejected, RegistryUnavailable; then nothing is stored
 */
@injectable()
export class RequestTransfer {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(TransferRunner) private readonly runner: TransferRunner,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
  ) {}

  /** Prices a transfer without an auth code or a registrant. Stores nothing. @throws the errors of `execute` */
  async quote({
    accountId,
    actor,
    name: text,
    years,
  }: Pick<RequestTransferCommand, 'accountId' | 'actor' | 'name' | 'years'>): Promise<TransferOrder> {
    assertActionAllowed(actor, 'transfer');
    const [name, asked] = validateAll(
      () => DomainName.parse(text),
      () => (years === undefined ? undefined : RegistrationTerm.ofYears(years)),
    );
    assertNameAllowed(actor, name.value);
    const policy = this.policies.forName(name);
    if (!policy)
      throw ValidationError.of('name', `must be under a TLD that this service offers, unlike .${name.parent}`);
    assertSupported(this.policies, name, 'transfer_in');
    const term = (asked ?? RegistrationTerm.shortest(policy.renewalYears)).within(policy.renewalYears, policy.suffix);
    await this.unitOfWork.run((stores) => assertAbsent(stores, accountId, name), accountId);
    const registry = this.registry.forAccount(accountId);
    const held = await registry.info(name);
    if (!held) throw new RegistryRejected('not_held', `${name.value} is not registered. Register it instead`);
    if (held.sponsoredByUs) throw alreadyOurs(name);
    return { name, term, price: await registry.transferPrice(name, term) };
  }

  /** Validates and prices a transfer without storing anything. @throws the errors of `execute` */
  async review(command: Omit<RequestTransferCommand, 'operationId'>): Promise<TransferOrder> {
    validateAll(
      () => assertAuthCode(command.authCode),
      () => assertRegistrant(command.registrant, 'registrant'),
    );
    return this.quote(command);
  }

  async execute(command: RequestTransferCommand, hook?: TransactionHook<Transfer>): Promise<Transfer> {
    const { accountId, actor, registrant, autoRenew = true } = command;
    const { name, term, price } = await this.review(command);
    assertAgreedPrice(command.agreedPrice, price);
    const id = this.ids.next('tr');
    const sealedAuthCode = this.secrets.seal(command.authCode, authCodePurpose(id));
    const transfer = Transfer.request(
      { id, accountId, actor, name, years: term.years, price, registrant, autoRenew, sealedAuthCode },
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

/** @throws DomainStatusConflict, OperationInProgress, RegistryRejected */
async function assertAbsent({ domains, transfers }: Stores, accountId: string, name: DomainName): Promise<void> {
  const domain = await domains.lockByName(name);
  if (domain?.toState().accountId === accountId)
    throw new DomainStatusConflict(`${name.value} is already in this account, with status ${domain.status}`);
  if (domain) throw alreadyOurs(name);
  const transfer = await transfers.lockOpenByName(name);
  if (!transfer) return;
  const isOwn = transfer.toState().accountId === accountId;
  throw new OperationInProgress(
    `${name.value} is already being transferred${isOwn ? `. Follow it at /api/transfers/${transfer.id}` : ''}`,
  );
}

/** The same for a name of another account and for one that was never imported: neither is told. */
function alreadyOurs(name: DomainName): RegistryRejected {
  return new RegistryRejected(
    'policy',
    `The registrar of this service already holds ${name.value}, so it cannot be transferred in. Ask the operator to add it to this account`,
  );
}

/** @throws ValidationError */
function assertAuthCode(authCode: string): void {
  if (authCode.length < 1 || authCode.length > MAX_AUTH_CODE || /[\p{Cc}\p{Cs}]/u.test(authCode))
    throw ValidationError.of('auth_code', `must be 1 to ${MAX_AUTH_CODE} characters without control characters`);
}
