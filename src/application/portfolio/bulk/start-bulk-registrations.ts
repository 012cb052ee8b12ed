import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { assertActionAllowed } from '../../../domain/access/key-permissions';
import type { BulkJob, BulkOrder } from '../../../domain/portfolio/bulk-job';
import { Nameservers } from '../../../domain/registration/nameservers';
import type { Registrant } from '../../../domain/registration/registrant';
import { assertIdnLanguage, TldPolicies } from '../../../domain/registration/names/tld-policy';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { IdGenerator } from '../../ports/system';
import { orderedNames } from '../ordered-names';
import { StartBulkJob } from './start-bulk-job';

interface StartBulkRegistrationsCommand extends Requester {
  readonly orders: readonly BulkOrder[];
  readonly registrant: Registrant;
  /** Default: those of the service. */
  readonly nameservers?: readonly string[] | undefined;
  readonly autoRenew?: boolean | undefined;
}

/**
 * Stores a job that registers many names; `BulkRunner` runs it, each name as if it were ordered alone.
 * @throws ValidationError with the index of each invalid order; InvalidNameservers, LimitedKey, ApprovalNeeded, BulkLimitReached
 */
@injectable()
export class StartBulkRegistrations {
  constructor(
    @inject(TldPolicies) private readonly policies: TldPolicies,
    @inject(StartBulkJob) private readonly startJob: Pick<StartBulkJob, 'start'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
  ) {}

  async execute(
    { accountId, actor, orders, registrant, nameservers, autoRenew = true }: StartBulkRegistrationsCommand,
    hook?: TransactionHook<BulkJob>,
  ): Promise<BulkJob> {
    assertActionAllowed(actor, 'register');
    const names = orderedNames('registrations', orders, registrant, ({ idnLanguage }, name, path) => {
      const policy = this.policies.forName(name);
      if (policy) assertIdnLanguage(idnLanguage, name, policy, `${path}.idn_language`);
    });
    const action = {
      kind: 'registration',
      registrant,
      autoRenew,
      nameservers: nameservers && Nameservers.of(nameservers).hosts,
    } as const;
    const domains = orders.map(({ years, maxPrice, idnLanguage }, index) => ({
      domainId: this.ids.next('dom'),
      name: names[index] ?? '',
      ownAction: { kind: 'registration_order', years, maxPrice, idnLanguage } as const,
    }));
    return this.startJob.start({ accountId, actor, action, domains }, hook);
  }
}
