import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import { actorOfKey, includesScope } from '../../../domain/access/api-key';
import { InsufficientScope, InvalidApiKey, RoleForbids } from '../../../domain/access/access-errors';
import { asIfAccepted } from '../../../domain/access/key-permissions';
import { actorOfUser } from '../../../domain/access/people/user';
import type { BulkJob } from '../../../domain/portfolio/bulk-job';
import { AccountReader, ApiKeyReader } from '../../ports/access/accounts-and-api-keys';
import { UserReader } from '../../ports/access/users';
import { Clock } from '../../ports/system';

/**
 * The requester of a job: its key or its user as they are now, so that a job stops when its key is revoked or its user is removed.
 * Approval rules were applied when it was started.
 */
@injectable()
export class BulkRequesters {
  constructor(
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(UserReader) private readonly users: UserReader,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** @throws InvalidApiKey, InsufficientScope, RoleForbids: the error that a single request would get */
  async of({ accountId, actor }: BulkJob): Promise<Requester> {
    if (actor.kind === 'key') {
      const key = await this.keys.find(actor.id);
      const state = key?.toState();
      if (!key || state?.accountId !== accountId || key.status(this.clock.now()) !== 'active')
        throw new InvalidApiKey();
      if (!includesScope(state.scope, 'WRITE')) throw new InsufficientScope('WRITE');
      return { accountId, actor: asIfAccepted(actorOfKey(state)) };
    }
    if (actor.kind === 'user') {
      const user = await this.users.find(actor.id);
      if (user?.toState().accountId !== accountId) throw new RoleForbids('The user was removed from the account');
      const account = (await this.accounts.find(accountId)) ?? { membersMayTransfer: false, approvalRules: null };
      return { accountId, actor: asIfAccepted(actorOfUser(user.toState(), account)) };
    }
    return { accountId, actor };
  }
}
