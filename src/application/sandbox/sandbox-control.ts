import { inject, injectable } from 'inversify';
import { SandboxNotControlled } from '../../domain/access/errors';
import { AccountReader } from '../ports/access/access-repositories';

/** The sandbox's clock and faults meet all accounts: with more than one, the operator says which of them control it. */
@injectable()
export class SandboxControl {
  constructor(@inject(AccountReader) private readonly accounts: AccountReader) {}

  async isHeldBy(accountId: string): Promise<boolean> {
    const account = await this.accounts.find(accountId);
    return account !== undefined && (account.controlsSandbox || (await this.accounts.all()).length === 1);
  }

  /** @throws SandboxNotControlled */
  async assertHeldBy(accountId: string): Promise<void> {
    if (!(await this.isHeldBy(accountId))) throw new SandboxNotControlled();
  }
}
