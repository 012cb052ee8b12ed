import { inject, injectable } from 'inversify';
import { KnownBrowsers } from '../../../application/access/known-browsers';
import { SignIn } from '../../../application/access/sign-in';
import { AccountReader } from '../../../application/ports/access/access-repositories';
import type { Account } from '../../../domain/access/account';
import { SeveralAccounts } from '../../../domain/access/errors';
import { attempt, type FormFaults } from '../form-faults';
import { field, optionalField, parameter } from '../form-fields';
import { marksOf, rememberBrowser } from '../middleware/known-browser';
import { closeSession, openSession } from '../middleware/sessions';
import { Pages } from '../pages';
import type { DashboardHandler, DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../visitor';
import { ownPath } from './own-path';
import { SignInPage } from './sign-in-page';

@injectable()
export class SignInPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(SignIn) private readonly signIn: SignIn,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sign-in', 'public', this.show],
      ['post', '/sign-in', 'public', this.enter],
      ['post', '/sign-out', 'public', this.leave],
    ];
  }

  private readonly show: DashboardHandler = (req, res) => {
    const next = parameter(req, 'next');
    if (res.locals.visitor) return res.redirect(303, ownPath(next));
    this.form(req, res, { next, email: '' });
  };

  private readonly enter: DashboardHandler = async (req, res) => {
    const [email, next] = [field(req, 'email'), field(req, 'next')];
    let choices: readonly Account[] = [];
    const outcome = await attempt(async () => {
      const command = { email, password: field(req, 'password'), accountId: optionalField(req, 'account'), clientAddress: req.ip ?? '', marks: marksOf(req) };
      const user = await this.signIn.execute(command).catch(async (error: unknown) => {
        if (error instanceof SeveralAccounts) choices = await this.accountsOf(error);
        throw error;
      });
      await openSession(req, user);
      return user;
    });
    if ('faults' in outcome) return this.form(req, res, { next, email }, outcome.faults, choices);
    rememberBrowser(req, res, outcome.result.id, this.browsers.markOf(outcome.result));
    res.redirect(303, ownPath(next));
  };

  private readonly leave: DashboardHandler = async (req, res) => {
    await closeSession(req, res);
    res.redirect(303, '/sign-in');
  };

  private async accountsOf({ accountIds }: SeveralAccounts): Promise<readonly Account[]> {
    const accounts = await Promise.all(accountIds.map((id) => this.accounts.find(id)));
    return accounts.filter((account) => account !== undefined);
  }

  private form(req: DashboardRequest, res: DashboardResponse, values: { next: string; email: string }, faults?: FormFaults, choices: readonly Account[] = []): void {
    this.pages.send(req, res, { title: 'Sign in', faults }, <SignInPage values={values} faults={faults} choices={choices} />);
  }
}
