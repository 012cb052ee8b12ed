import { inject, injectable } from '../ports/inject';
import { openAccount } from '../../domain/access/account';
import { SERVICE } from '../../domain/access/actor';
import { ApiKey } from '../../domain/access/api-key';
import { User } from '../../domain/access/people/user';
import { ValidationError } from '../../domain/shared/validation-error';
import { accountOpened, keyChanged, userChanged } from '../audit/access-audit';
import { AccountReader, KeyGenerator } from '../ports/access/accounts-and-api-keys';
import { Clock, IdGenerator } from '../ports/system';
import { Passwords } from '../ports/access/authentication';
import { TokenGenerator } from '../ports/access/users';
import { UnitOfWork } from '../ports/storage/unit-of-work';

/** The initial credentials; they cannot be shown again. */
interface FirstAccount {
  readonly key: string;
  readonly email: string;
  readonly password: string;
}

const FIRST_EMAIL = 'owner@namewright.example';

/** Creates an account with an ADMIN key and an owner in an empty database, so that a new installation is usable at once. */
@injectable()
export class OpenFirstAccount {
  constructor(
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork<'accounts' | 'apiKeys' | 'audit' | 'users'>,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(KeyGenerator) private readonly keys: KeyGenerator,
    @inject(TokenGenerator) private readonly tokens: TokenGenerator,
    @inject(Passwords) private readonly passwords: Passwords,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns undefined if accounts exist. */
  async execute(): Promise<FirstAccount | undefined> {
    if ((await this.accounts.all()).length > 0) return undefined;
    const now = this.clock.now();
    // The person who starts the service is its operator.
    const rights = { controlsSandbox: true, isTrusted: true };
    const account = { ...openAccount(this.ids.next('acc'), 'First account', now), ...rights };
    const token = this.keys.next();
    const key = ApiKey.issue(
      token,
      { accountId: account.id, name: 'First key', scope: 'ADMIN', createdBy: SERVICE },
      now,
    );
    const user = User.invite(
      { id: this.ids.next('usr'), accountId: account.id, email: FIRST_EMAIL, role: 'owner' },
      now,
    );
    const password = this.tokens.password();
    user.setPasswordHash(await this.passwords.hash(password), now);
    const opened = this.unitOfWork.run(async ({ accounts, apiKeys, users, audit }) => {
      await accounts.add(account);
      await apiKeys.add(key);
      await users.addFirst(user);
      await audit.append(accountOpened({ actor: SERVICE, account }));
      await audit.append(keyChanged({ at: now, actor: SERVICE, action: 'key.created', key: key.toState() }));
      await audit.append(userChanged({ at: now, actor: SERVICE, action: 'user.invited', user: user.toState() }));
    });
    if (!(await isFirst(opened))) return undefined;
    return { key: this.keys.textOf(token), email: user.email, password };
  }
}

/** Of several processes that start on one empty database, the first takes the owner's e-mail. */
async function isFirst(opened: Promise<void>): Promise<boolean> {
  try {
    await opened;
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}
