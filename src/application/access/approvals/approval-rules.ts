import { inject, injectable } from '../../ports/inject';
import { isAccepted, type Reader, type Requester } from '../../../domain/access/actor';
import { ApprovalRulesChanged } from '../../../domain/access/approvals/approval-errors';
import {
  parseApprovalRules,
  versionOfRules,
  type ApprovalRule,
  type GivenRule,
} from '../../../domain/access/approvals/approval-rule';
import { assertWholeAccountAllowed } from '../../../domain/access/key-permissions';
import { ValidationError } from '../../../domain/shared/validation-error';
import { accountChanged } from '../../audit/access-audit';
import { AccountReader } from '../../ports/access/accounts-and-api-keys';
import { UnitOfWork, type HookStore, type TransactionHook } from '../../ports/storage/unit-of-work';
import { Clock } from '../../ports/system';
import { lockAsOwner } from '../users/lock-as-owner';
import { ApprovalNeeded } from './approval-needed';

type Rules = readonly ApprovalRule[];

interface ChangeRulesCommand extends Requester {
  readonly rules: readonly GivenRule[];
  /** Versions of which the present rules must have one. Absent: any. */
  readonly expected?: readonly string[] | undefined;
}

/** Which changes of an account need a second person. Once there are rules, their change does, too. @throws LimitedKey */
@injectable()
export class ApprovalRules {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'users' | HookStore>,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async read({ accountId, actor }: Reader): Promise<Rules> {
    assertWholeAccountAllowed(actor);
    return (await this.accounts.find(accountId))?.approvalRules ?? [];
  }

  /** @throws ValidationError, RoleForbids, ApprovalNeeded, ApprovalRulesChanged */
  async change(
    { accountId, actor, rules: given, expected }: ChangeRulesCommand,
    hook?: TransactionHook<Rules>,
  ): Promise<Rules> {
    assertWholeAccountAllowed(actor);
    const rules = parseApprovalRules(given);
    return this.unitOfWork.run(async (stores) => {
      const before = await lockAsOwner(stores, { accountId, actor });
      if (!before) throw ValidationError.of('account', 'is not known');
      const account = { ...before, approvalRules: rules.length === 0 ? null : rules };
      const present = before.approvalRules ?? [];
      const version = versionOfRules(present);
      if (expected && !expected.includes(version)) throw new ApprovalRulesChanged();
      const changes = accountChanged({ at: this.clock.now(), actor, before, account });
      // Those that are stored now: they may have been set since the request was authenticated.
      if (changes.length > 0 && present.length > 0 && !isAccepted(actor))
        throw new ApprovalNeeded('rules', { kind: 'rules', version, rules });
      await stores.accounts.save(account);
      await stores.audit.append(...changes);
      await hook?.(stores, rules);
      return rules;
    }, accountId);
  }
}
