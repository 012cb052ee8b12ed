import { inject, injectable } from '../../../application/ports/inject';
import { JoinAccount } from '../../../application/access/users/join-account';
import { OpenSetupLink, type OpenedLink } from '../../../application/access/users/open-setup-link';
import { SetPassword } from '../../../application/access/users/set-password';
import { AccountReader } from '../../../application/ports/access/accounts-and-api-keys';
import { SetupLinkInvalid } from '../../../domain/access/access-errors';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readParameter } from '../form-fields';
import { SignInPage } from '../sign-in/sign-in-page';
import { SignInSteps } from '../sign-in/sign-in-steps';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { InvalidLinkPage, SetUpPage } from './set-up-page';
import { redirect } from '../redirect';

/** The page behind a set-up link: sets the user's password and signs the user in, or lets a signed-in person join the account. */
@injectable()
export class SetUpPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(OpenSetupLink) private readonly openSetupLink: OpenSetupLink,
    @inject(SetPassword) private readonly setPassword: SetPassword,
    @inject(JoinAccount) private readonly joinAccount: JoinAccount,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(SignInSteps) private readonly steps: SignInSteps,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/set-up', 'public', this.show.bind(this)],
      ['post', '/set-up', 'public', this.save.bind(this)],
      ['post', '/set-up/join', 'signed-in', this.join.bind(this)],
      ['post', '/set-up/sign-in', 'public', this.askToSignIn.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.renderForms(req, res, readParameter(req, 'token'));
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = readField(req, 'token');
    if (!(await this.open(token))) return this.renderInvalid(req, res);
    const command = { token, password: readField(req, 'password'), code: readField(req, 'code') };
    const outcome = await attempt(() => this.setPassword.execute(command));
    if ('issues' in outcome) return this.renderForms(req, res, token, { issues: outcome.issues, sent: 'password' });
    const flash = { kind: 'success', text: 'Your password was set. Welcome to Namewright.' } as const;
    const target = { next: '', savedForm: '', flash };
    if (await this.steps.openOrAsk(req, res, outcome.result, target)) redirect(res, '/');
  }

  private async join(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = readField(req, 'token');
    if (!(await this.open(token))) return this.renderInvalid(req, res);
    const { user, sessionDigest } = res.locals.userSession;
    const command = { token, userId: user.id, sessionDigest, code: readField(req, 'code') };
    const outcome = await attempt(() => this.joinAccount.execute(command), { fields: ['code'] });
    if ('issues' in outcome) return this.renderForms(req, res, token, { issues: outcome.issues, sent: 'join' });
    const account = await this.accounts.find(outcome.result.toState().accountId);
    setFlash(req, { kind: 'success', text: `You have joined the account ${account?.name ?? ''} and are in it now.` });
    redirect(res, '/');
  }

  /** Sign-in leads back to the link. A form, because the link's token must not be in one more URL. */
  private async askToSignIn(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const token = readField(req, 'token');
    if (!(await this.open(token))) return this.renderInvalid(req, res);
    const next = `/set-up?token=${encodeURIComponent(token)}`;
    const page = (
      <SignInPage
        values={{ next, email: '', saved_form: '' }}
        issues={undefined}
        accounts={[]}
        passkey={await this.steps.promptPasskey(req)}
      />
    );
    this.renderer.render(req, res, { title: 'Sign in' }, page);
  }

  private async open(token: string): Promise<OpenedLink | undefined> {
    try {
      return await this.openSetupLink.execute(token);
    } catch (error) {
      if (error instanceof SetupLinkInvalid) return undefined;
      throw error;
    }
  }

  private renderInvalid(req: DashboardRequest, res: DashboardResponse): void {
    this.renderer.render(req, res, { title: 'Invalid link', issues: { status: 404 } }, <InvalidLinkPage />);
  }

  private async renderForms(
    req: DashboardRequest,
    res: DashboardResponse,
    token: string,
    { issues, sent }: { issues?: FormIssues; sent?: 'password' | 'join' } = {},
  ): Promise<void> {
    const link = await this.open(token);
    if (!link) return this.renderInvalid(req, res);
    const invited = link.user.toState();
    const page = (
      <SetUpPage
        token={token}
        invited={invited}
        accountName={(await this.accounts.find(invited.accountId))?.name ?? ''}
        hasSecondFactor={link.hasSecondFactor}
        isShared={link.isShared}
        issues={issues}
        sent={sent}
      />
    );
    const title = res.locals.userSession ? 'Join an account' : 'Choose a password';
    this.renderer.render(req, res, { title, issues }, page);
  }
}
