import { inject, injectable } from '../ports/inject';
import type { Account, AccountSettings } from '../../domain/access/account';
import type { Requester } from '../../domain/access/actor';
import { ValidationError } from '../../domain/shared/validation-error';
import { accountChanged } from '../audit/access-audit';
import { UnitOfWork } from '../ports/storage/unit-of-work';
import { Clock } from '../ports/system';
import { lockAsOwner } from './users/lock-as-owner';

/** Changes the settings that are given and leaves the others. @throws ValidationError for an unknown account, RoleForbids */
@injectable()
export class ChangeAccountSettings {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit' | 'users'>,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ accountId, actor, settings }: Requester & { settings: Partial<AccountSettings> }): Promise<Account> {
    return this.unitOfWork.run(async (stores) => {
      const before = await lockAsOwner(stores, { accountId, actor });
      if (!before) throw ValidationError.of('account', 'is not known');
      const account = { ...before, ...settings };
      await stores.accounts.save(account);
      await stores.audit.append(...accountChanged({ at: this.clock.now(), actor, before, account }));
      return account;
    });
  }
}
