import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import type { BulkItem, BulkJob, BulkOrder } from '../../../domain/portfolio/bulk-job';
import type { Registrant } from '../../../domain/registration/registrant';
import { TldPolicies } from '../../../domain/registration/names/tld-policy';
import { bulkBegun } from '../../audit/access-audit';
import { useQuote, type QuoteInUse } from '../../operations/binding-quotes';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock, IdGenerator, SecretBox } from '../../ports/system';
import { authCodePurpose } from '../../transfers/auth-code-purpose';
import { assertAuthCode } from '../../transfers/transfer-orders';
import { assertBulkNeedsNoApproval } from '../bulk/bulk-approval';
import { assertBulkAllowed } from '../bulk/bulk-limits';
import { orderedNames } from '../ordered-names';

export interface BulkTransferOrder extends BulkOrder {
  /** Secret. */
  readonly authCode?: string | undefined;
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
    const names = orderedNames('transfers', given, registrant, ({ authCode }, name, path) =>
      assertAuthCode({ authCode }, this.policies.forName(name), `${path}.auth_code`),
    );
    return given.map((order, index) => ({ ...order, name: names[index] ?? order.name }));
  }
}
