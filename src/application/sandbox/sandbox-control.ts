import { inject, injectable } from '../ports/inject';
import type { Reader } from '../../domain/access/actor';
import { SandboxNotControlled } from '../../domain/access/access-errors';
import { assertWholeAccountAllowed } from '../../domain/access/key-permissions';
import { AccountReader } from '../ports/access/accounts-and-api-keys';

/** The sandbox's clock and faults affect all accounts, so with several accounts the operator selects those that may control it. */
@injectable()
export class SandboxControl {
  constructor(@inject(AccountReader) private readonly accounts: AccountReader) {}

  async isAllowed(accountId: string): Promise<boolean> {
    const account = await this.accounts.find(accountId);
    return account !== undefined && (account.controlsSandbox || (await this.accounts.all()).length === 1);
  }

  /** @throws SandboxNotControlled, LimitedKey */
  async assertAllowed({ accountId, actor }: Reader): Promise<void> {
    assertWholeAccountAllowed(actor);
    if (!(await this.isAllowed(accountId))) throw new SandboxNotControlled();
  }
}
