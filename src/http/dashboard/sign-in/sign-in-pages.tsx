import { inject, injectable } from 'inversify';
import { VerifySecondFactor } from '../../../application/access/second-factor/verify-second-factor';
import { SignIn } from '../../../application/access/sign-in/sign-in';
import { AccountReader } from '../../../application/ports/access/access-repositories';
import type { Account } from '../../../domain/access/account';
import { AmbiguousAccount } from '../../../domain/access/errors';
import { attempt, type FormIssues } from '../form-issues';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { ResubmitFormPage } from '../layout/resubmit-form-page';
import { SessionAuthentication } from '../middleware/session-authentication';
import { SavedForms, type SavedForm } from '../middleware/saved-forms';
import { readBrowserMarks } from '../middleware/known-browser';
import { closeSession } from '../middleware/sessions';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { toLocalPath } from './local-path';
import { SignInSteps, type SignInTarget } from './sign-in-steps';
import { SignInPage } from './sign-in-page';
import { redirect } from '../redirect';

@injectable()
export class SignInPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SignIn) private readonly signIn: SignIn,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(SignInSteps) private readonly steps: SignInSteps,
    @inject(VerifySecondFactor) private readonly verifySecondFactor: VerifySecondFactor,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(SessionAuthentication) private readonly sessionAuthentication: SessionAuthentication,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sign-in', 'public', this.show.bind(this)],
      ['post', '/sign-in', 'public', this.signInUser.bind(this)],
      ['post', '/sign-in/second-factor', 'public', this.enterSecondFactor.bind(this)],
      ['post', '/sign-out', 'public', this.signOut.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): void {
    const next = readParameter(req, 'next');
    if (res.locals.userSession) return redirect(res, toLocalPath(next));
    this.renderForm(req, res, { next, email: '', saved_form: '' });
  }

  private async signInUser(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [email, next, savedForm] = [readField(req, 'email'), readField(req, 'next'), readField(req, 'saved_form')];
    let accounts: readonly Account[] = [];
    const outcome = await attempt(async () => {
      const command = {
        email,
        password: readField(req, 'password'),
        accountId: readOptionalField(req, 'account'),
        clientAddress: req.ip ?? '',
        marks: readBrowserMarks(req),
      };
      const user = await this.signIn.execute(command).catch(async (error: unknown) => {
        if (error instanceof AmbiguousAccount) accounts = await this.findAccounts(error);
        throw error;
      });
      return { user, isOpen: await this.steps.openOrAsk(req, res, user, { next, savedForm }) };
    });
    if ('issues' in outcome)
      return this.renderForm(req, res, { next, email, saved_form: savedForm }, outcome.issues, accounts);
    if (outcome.result.isOpen) await this.proceed(req, res, outcome.result.user.id, { next, savedForm });
  }

  private async enterSecondFactor(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const ticket = readField(req, 'ticket');
    const pending = await this.steps.read(ticket);
    if (!pending) {
      const reason = 'Your password was entered more than five minutes ago. Enter it again.';
      return this.renderForm(req, res, { next: '', email: '', saved_form: '', reason });
    }
    const { user, next, savedForm } = pending;
    const outcome = await attempt(async () => {
      await this.verifySecondFactor.execute({ userId: user.id, code: readField(req, 'code') });
      await this.steps.open(req, res, user, true);
    });
    if ('issues' in outcome) return this.steps.renderForm(req, res, ticket, outcome.issues);
    await this.proceed(req, res, user.id, { next, savedForm });
  }

  private async proceed(
    req: DashboardRequest,
    res: DashboardResponse,
    userId: string,
    { next, savedForm }: SignInTarget,
  ): Promise<void> {
    if (savedForm === '') return redirect(res, toLocalPath(next));
    await this.renderSavedForm(req, res, this.savedForms.open(savedForm, userId));
  }

  private async renderSavedForm(
    req: DashboardRequest,
    res: DashboardResponse,
    form: SavedForm | undefined,
  ): Promise<void> {
    if (!form) {
      setFlash(req, {
        kind: 'warning',
        text: 'The form that you sent before signing in was discarded because it belongs to another user or is older than an hour. Fill it in again.',
      });
      return redirect(res, '/');
    }
    await this.sessionAuthentication.setUserSession(req, res);
    const page = (
      <ResubmitFormPage
        title="Send your form?"
        reason="Nothing was changed, because your session had ended before this form arrived. You are signed in again and can send it now."
        action={form.action}
        fields={form.fields}
        submit="Send"
        cancel={form.returnPath}
      />
    );
    this.renderer.render(req, res, { title: 'Send your form?' }, page);
  }

  private async signOut(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await closeSession(req, res);
    redirect(res, '/sign-in');
  }

  private async findAccounts({ accountIds }: AmbiguousAccount): Promise<readonly Account[]> {
    const accounts = await Promise.all(accountIds.map((id) => this.accounts.find(id)));
    return accounts.filter((account) => account !== undefined);
  }

  private renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    { reason, ...values }: { next: string; email: string; saved_form: string; reason?: string },
    issues?: FormIssues,
    accounts: readonly Account[] = [],
  ): void {
    this.renderer.render(
      req,
      res,
      { title: 'Sign in', issues },
      <SignInPage values={values} {...(reason !== undefined && { reason })} issues={issues} accounts={accounts} />,
    );
  }
}
