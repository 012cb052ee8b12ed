import { inject, injectable } from 'inversify';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import { SetPassword } from '../../../application/access/users/set-password';
import { SetupLinkInvalid } from '../../../domain/access/errors';
import { attempt, type FormIssues } from '../form-issues';
import { field, parameter } from '../form-fields';
import { rememberBrowser } from '../middleware/known-browser';
import { openSession } from '../middleware/sessions';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../visitor';
import { InvalidLinkPage, SetUpPage } from './set-up-page';
import { seeOther } from '../see-other';

/** Where a set-up link leads: a person chooses a password and is signed in with it. */
@injectable()
export class SetUpPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(SetPassword) private readonly setPassword: SetPassword,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/set-up', 'public', this.show.bind(this)],
      ['post', '/set-up', 'public', this.save.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = parameter(req, 'token');
    if (!(await this.isOpen(token))) return this.invalid(req, res);
    this.form(req, res, token);
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = field(req, 'token');
    if (!(await this.isOpen(token))) return this.invalid(req, res);
    const outcome = await attempt(() => this.setPassword.execute({ token, password: field(req, 'password') }));
    if ('issues' in outcome) return this.form(req, res, token, outcome.issues);
    await openSession(req, outcome.result);
    rememberBrowser(req, res, outcome.result.id, this.browsers.markOf(outcome.result));
    setFlash(req, { kind: 'done', text: 'Your password is set. Welcome to Namewright.' });
    seeOther(res, '/');
  }

  private async isOpen(token: string): Promise<boolean> {
    try {
      await this.setPassword.assertOpen(token);
      return true;
    } catch (error) {
      if (error instanceof SetupLinkInvalid) return false;
      throw error;
    }
  }

  private invalid(req: DashboardRequest, res: DashboardResponse): void {
    this.pages.send(req, res, { title: 'Link not valid', issues: { status: 404 } }, <InvalidLinkPage />);
  }

  private form(req: DashboardRequest, res: DashboardResponse, token: string, issues?: FormIssues): void {
    this.pages.send(req, res, { title: 'Choose a password', issues }, <SetUpPage token={token} issues={issues} />);
  }
}
