import { inject, injectable } from 'inversify';
import { SetPassword } from '../../../application/access/users/set-password';
import { SetupLinkInvalid } from '../../../domain/access/errors';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import { SignInSteps } from '../sign-in/sign-in-steps';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { InvalidLinkPage, SetUpPage } from './set-up-page';
import { redirect } from '../redirect';

/** The page behind a set-up link: sets the user's password and signs the user in. */
@injectable()
export class SetUpPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SetPassword) private readonly setPassword: SetPassword,
    @inject(SignInSteps) private readonly steps: SignInSteps,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/set-up', 'public', this.show.bind(this)],
      ['post', '/set-up', 'public', this.save.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = readParameter(req, 'token');
    if (!(await this.isOpen(token))) return this.renderInvalid(req, res);
    this.renderForm(req, res, token);
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = readField(req, 'token');
    if (!(await this.isOpen(token))) return this.renderInvalid(req, res);
    const outcome = await attempt(() => this.setPassword.execute({ token, password: readField(req, 'password') }));
    if ('issues' in outcome) return this.renderForm(req, res, token, outcome.issues);
    if (!(await this.steps.openOrAsk(req, res, outcome.result, { next: '', savedForm: '' }))) return;
    setFlash(req, { kind: 'success', text: 'Your password was set. Welcome to Namewright.' });
    redirect(res, '/');
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

  private renderInvalid(req: DashboardRequest, res: DashboardResponse): void {
    this.renderer.render(req, res, { title: 'Invalid link', issues: { status: 404 } }, <InvalidLinkPage />);
  }

  private renderForm(req: DashboardRequest, res: DashboardResponse, token: string, issues?: FormIssues): void {
    this.renderer.render(req, res, { title: 'Choose a password', issues }, <SetUpPage token={token} issues={issues} />);
  }
}
