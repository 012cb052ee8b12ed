import { inject, injectable } from '../ports/inject';
import type { Actor } from '../../domain/access/actor';
import { openAccount, type Account } from '../../domain/access/account';
import { accountOpened } from '../audit/access-audit';
import { Clock, IdGenerator } from '../ports/system';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** @throws ValidationError for a bad name */
@injectable()
export class CreateAccount {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'audit'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  async execute({ actor, name }: { actor: Actor; name: string }): Promise<Account> {
    const account = openAccount(this.ids.next('acc'), name, this.clock.now());
    await this.unitOfWork.run(async ({ accounts, audit }) => {
      await accounts.add(account);
      await audit.append(accountOpened({ actor, account }));
    });
    return account;
  }
}
