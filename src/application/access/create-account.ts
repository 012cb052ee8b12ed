import { inject, injectable } from '../ports/inject';
import type { Actor } from '../../domain/access/actor';
import { openAccount, type Account } from '../../domain/access/account';
import { accountOpened } from '../audit/access-audit';
import { AccountReader } from '../ports/access/accounts-and-api-keys';
import { Clock, IdGenerator } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** The operator trusts the first account of an installation. @throws ValidationError for a bad name */
@injectable()
export class CreateAccount {
  constructor(
    @inject(AccountReader) private readonly accounts: Pick<AccountReader, 'all'>,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ actor, name }: { actor: Actor; name: string }): Promise<Account> {
    const isTrusted = (await this.accounts.all()).length === 0;
    const account = { ...openAccount(this.ids.next('acc'), name, this.clock.now()), isTrusted };
    await this.unitOfWork.run(async ({ accounts, audit }) => {
      await accounts.add(account);
      await audit.append(accountOpened({ actor, account }));
    });
    return account;
  }
}
