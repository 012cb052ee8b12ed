import { inject, injectable } from 'inversify';
import { openAccount } from '../../domain/access/account';
import { SERVICE } from '../../domain/access/actor';
import { ApiKey } from '../../domain/access/api-key';
import { accountOpened, keyChanged } from '../audit/access-audit';
import { AccountReader } from '../ports/access-repositories';
import { Clock } from '../ports/clock';
import { IdGenerator } from '../ports/id-generator';
import { KeyGenerator } from '../ports/key-generator';
import { UnitOfWork } from '../ports/unit-of-work';
import { ApiKeyPrefix } from './authenticate';

/** On an empty database: one account with one ADMIN key, so that a fresh clone can be used at once. */
@injectable()
export class OpenFirstAccount {
  constructor(
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(KeyGenerator) private readonly keys: KeyGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(ApiKeyPrefix) private readonly prefix: string,
  ) {}

  /** Answers the full text of the key, or undefined where there are accounts already. */
  async execute(): Promise<string | undefined> {
    if ((await this.accounts.all()).length > 0) return undefined;
    const now = this.clock.now();
    const account = openAccount(this.ids.next('acc'), 'First account', now);
    const token = this.keys.next();
    const key = ApiKey.issue(token, { accountId: account.id, name: 'First key', scope: 'ADMIN' }, now);
    await this.unitOfWork.run(async ({ accounts, apiKeys, audit }) => {
      await accounts.add(account);
      await apiKeys.add(key);
      await audit.append(accountOpened({ actor: SERVICE, account }));
      await audit.append(keyChanged({ at: now, actor: SERVICE, action: 'key.created', key: key.toState() }));
    });
    return token.toText(this.prefix);
  }
}
