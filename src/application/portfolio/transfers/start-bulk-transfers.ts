import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import { MAX_BULK_TRANSFERS, type BulkItem, type BulkJob } from '../../../domain/portfolio/bulk-job';
import { assertRegistrant, type Registrant } from '../../../domain/registration/registrant';
import { RegistrationTerm } from '../../../domain/registration/registration-term';
import { TldPolicies } from '../../../domain/registration/tld-policy';
import { DomainName } from '../../../domain/shared/domain-name';
import type { Money } from '../../../domain/shared/money';
import { validateAll, ValidationError } from '../../../domain/shared/validation-error';
import { bulkBegun } from '../../audit/access-audit';
import { useQuote, type QuoteInUse } from '../../operations/binding-quotes';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator, SecretBox } from '../../ports/system';
import { authCodePurpose } from '../../transfers/auth-code-purpose';
import { assertAuthCode } from '../../transfers/transfer-orders';
import { assertBulkNeedsNoApproval } from '../bulk-approval';
import { assertBulkAllowed } from '../bulk-limits';

export interface BulkTransferOrder {
  readonly name: string;
  /** Secret. */
  readonly authCode?: string | undefined;
  /** Default: the shortest term of the TLD. */
  readonly years?: number | undefined;
  /** Default: any price. */
  readonly maxPrice?: Money | undefined;
}

interface StartBulkTransfersCommand extends Requester {
  readonly orders: readonly BulkTransferOrder[];
  readonly registrant: Registrant;
  readonly autoRenew?: boolean | undefined;
  /** The review that the orders come from: it is used up. */
  readonly review?: QuoteInUse | undefined;
}

/**
 * Stores a job that requests transfers of many names from other registrars, with their sealed auth codes; `BulkRunner` runs it.
 * @throws ValidationError with the index of each invalid order; LimitedKey, ApprovalNeeded, BulkLimitReached
 */
@injectable()
export class StartBulkTransfers {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(UnitOfWork)
    private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'bulkJobs' | 'usedTokens' | HookStore>,
    @inject(SecretBox) private readonly secrets: SecretBox,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(
    { accountId, actor, orders: given, registrant, autoRenew = true, review }: StartBulkTransfersCommand,
    hook?: TransactionHook<BulkJob>,
  ): Promise<BulkJob> {
    assertActionAllowed(actor, 'transfer');
    const orders = this.validate(given, registrant);
    const action = { kind: 'transfer', registrant, autoRenew } as const;
    const items = orders.map((order) => this.newItem(order));
    assertBulkNeedsNoApproval(
      actor,
      items.flatMap(({ ownAction }) => ownAction ?? []),
      () => ({ kind: 'bulk_transfer', action, orders }),
    );
    const now = this.clock.now();
    const job: BulkJob = {
      id: this.ids.next('blk'),
      accountId,
      actor,
      action,
      total: items.length,
      undoes: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    return this.unitOfWork.run(async (stores) => {
      await useQuote(stores, review);
      await assertBulkAllowed(stores, { accountId, at: now, domains: items.length });
      await stores.bulkJobs.add(job, items);
      await stores.audit.append(bulkBegun('bulk.started', job, items.length));
      await hook?.(stores, job);
      return job;
    }, accountId);
  }

  private newItem({ name, authCode = '', years, maxPrice }: BulkTransferOrder): BulkItem {
    const transferId = this.ids.next('tr');
    return {
      domainId: transferId,
      name,
      operationId: this.ids.next('op'),
      ownAction: { kind: 'transfer_order', years, maxPrice },
      sealedAuthCode: this.secrets.seal(authCode, authCodePurpose(transferId)),
      undo: null,
      state: 'waiting',
      attempts: 0,
      error: null,
    };
  }

  private validate(given: readonly BulkTransferOrder[], registrant: Registrant): readonly BulkTransferOrder[] {
    if (given.length < 1 || given.length > MAX_BULK_TRANSFERS)
      throw ValidationError.of('transfers', `must be 1 to ${MAX_BULK_TRANSFERS} transfers`);
    const [, ...names] = validateAll<[void, ...string[]]>(
      () => assertRegistrant(registrant, 'contacts.registrant'),
      ...given.map((order, index) => () => this.validName(order, `transfers[${index}]`)),
    );
    const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
    if (repeated !== -1) throw ValidationError.of(`transfers[${repeated}].name`, 'is in the list twice');
    return given.map((order, index) => ({ ...order, name: names[index] ?? order.name }));
  }

  private validName({ name: text, authCode, years }: BulkTransferOrder, path: string): string {
    const name = DomainName.parse(text, `${path}.name`);
    assertAuthCode({ authCode }, this.policies.forName(name), `${path}.auth_code`);
    if (years !== undefined) RegistrationTerm.ofYears(years, `${path}.years`);
    return name.value;
  }
}
