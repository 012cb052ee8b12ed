import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import { assertActionAllowed, assertNameAllowed } from '../../domain/access/key-permissions';
import { DomainName } from '../../domain/shared/domain-name';
import { OperationInProgress } from '../../domain/registration/registration-errors';
import { DomainStatusConflict } from '../../domain/shared/domain-errors';
import { assertRegistrant, type Registrant } from '../../domain/registration/registrant';
import { RegistrationTerm } from '../../domain/registration/registration-term';
import { assertRegistrantFits, TldPolicies, type TldPolicy } from '../../domain/registration/names/tld-policy';
import { addYears } from '../../domain/shared/time/calendar';
import type { Money } from '../../domain/shared/money';
import { validateAll, ValidationError } from '../../domain/shared/validation-error';
import { AccountRegistries } from '../ports/registry/registries';
import { RegistryRejected } from '../ports/registry/registry-errors';
import type { RegistryDomain } from '../ports/registry/registry-port';
import { UnitOfWork, type Stores } from '../ports/storage/unit-of-work';
import type { PriceLimit } from '../operations/binding-quotes';
import { assertNewAutoRenewal, assertSupported } from '../operations/assert-supported';

export interface RequestTransferCommand extends Requester {
  /** The id of the transfer, if it was reserved before. */
  readonly transferId?: string | undefined;
  readonly name: string;
  /** Secret: never logged, stored sealed. Absent where the registry asks for none. */
  readonly authCode?: string | undefined;
  /** Default: the shortest term of the TLD. */
  readonly years?: number | undefined;
  readonly registrant: Registrant;
  readonly autoRenew?: boolean | undefined;
  readonly limit?: PriceLimit | undefined;
}

/** A validated transfer with its price, which includes the years that it adds. */
export interface TransferOrder {
  readonly name: DomainName;
  readonly term: RegistrationTerm;
  readonly price: Money;
  readonly needsAuthCode: boolean;
  /** Null if the registry does not show it. */
  readonly formerExpiry: Date | null;
}

/** EPP's authInfo has no limit; this is what registrars use and a form can show. */
const MAX_AUTH_CODE = 255;

/** Validates and prices transfers from other registrars. Stores nothing. @throws the errors of `RequestTransfer` */
@injectable()
export class TransferOrders {
  constructor(
    @inject(AccountRegistries) private readonly registry: AccountRegistries,
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'domains' | 'transfers'>,
  ) {}

  /** Prices a transfer. The auth code may be absent: it only shows the expiry. */
  async quote({
    accountId,
    actor,
    name: text,
    years,
    autoRenew = true,
    authCode,
  }: Pick<
    RequestTransferCommand,
    'accountId' | 'actor' | 'name' | 'years' | 'autoRenew' | 'authCode'
  >): Promise<TransferOrder> {
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
    assertNewAutoRenewal(autoRenew, policy);
    const term = (asked ?? RegistrationTerm.shortest(policy.renewalYears)).assertWithin(
      policy.renewalYears,
      policy.suffix,
    );
    await this.unitOfWork.run((stores) => assertAbsent(stores, accountId, name), accountId);
    const registry = this.registry.forAccount(accountId);
    const held = await registry.info(name, authCode);
    if (!held) throw new RegistryRejected('not_held', `${name.value} is not registered. Register it instead`);
    if (held.sponsoredByUs) throw alreadyOurs(name);
    const needsAuthCode = policy.transfersWithoutCode !== true;
    const formerExpiry = expiryBeforeTransfer(held);
    return { name, term, price: await registry.transferPrice(name, term), needsAuthCode, formerExpiry };
  }

  async review(command: RequestTransferCommand): Promise<TransferOrder> {
    let policy: TldPolicy | undefined;
    validateAll(
      () => (policy = this.policies.forName(DomainName.parse(command.name))),
      () => assertAuthCode(command, policy),
      () => assertRegistrant(command.registrant, 'registrant'),
      () => assertRegistrantFits(command.registrant, policy, 'registrant'),
    );
    return this.quote(command);
  }
}

/** A transfer undoes an automatic renewal (ICANN transfer policy). Null if the registry does not show the expiry. */
function expiryBeforeTransfer({ createdAt, expiresAt, phase, addedYears = 1 }: RegistryDomain): Date | null {
  if (expiresAt <= createdAt) return null;
  return phase === 'auto_renew_grace' ? addYears(expiresAt, -addedYears) : expiresAt;
}

/** @throws ValidationError about `path` */
export function assertAuthCode(
  { authCode = '' }: Pick<RequestTransferCommand, 'authCode'>,
  policy: TldPolicy | undefined,
  path = 'auth_code',
): void {
  if (authCode === '' && policy?.transfersWithoutCode) return;
  if (authCode.length < 1 || authCode.length > MAX_AUTH_CODE || /[\p{Cc}\p{Cs}]/u.test(authCode))
    throw ValidationError.of(path, `must be 1 to ${MAX_AUTH_CODE} characters without control characters`);
}

/** @throws DomainStatusConflict, OperationInProgress, RegistryRejected for a name that is here or on its way */
export async function assertAbsent(
  { domains, transfers }: Pick<Stores, 'domains' | 'transfers'>,
  accountId: string,
  name: DomainName,
): Promise<void> {
  const present = await domains.lockByName(name);
  const domain = present?.isHosted ? undefined : present;
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

/** The same text for a name of another account and for one that was never imported, so that it reveals neither. */
function alreadyOurs(name: DomainName): RegistryRejected {
  return new RegistryRejected(
    'policy',
    `The registrar of this service already holds ${name.value}, so it cannot be transferred in. Ask the operator to add it to this account`,
  );
}
