import { inject, injectable } from '../../../application/ports/inject';
import { SwitchAccount } from '../../../application/access/sign-in/switch-account';
import { AccountReader } from '../../../application/ports/access/accounts-and-api-keys';
import { ROLE_LABELS } from '../../../domain/access/people/role';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { redirect } from '../redirect';

/** The choice of the account in which a person with several works. */
@injectable()
export class AccountPages implements DashboardPages {
  constructor(
    @inject(SwitchAccount) private readonly switchAccount: SwitchAccount,
    @inject(AccountReader) private readonly accounts: AccountReader,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['post', '/switch-account', 'signed-in', this.change.bind(this)]];
  }

  private async change(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest } = res.locals.userSession;
    const accountId = readField(req, 'account');
    const chosen = await this.switchAccount.execute({ userId: user.id, sessionDigest, accountId });
    const account = await this.accounts.find(accountId);
    const role = ROLE_LABELS[chosen.toState().role];
    setFlash(req, { kind: 'success', text: `You are now in the account ${account?.name ?? ''}. Your role: ${role}.` });
    redirect(res, '/');
  }
}
