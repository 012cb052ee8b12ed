import { inject, injectable } from 'inversify';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import { SignIn } from '../../../application/access/sign-in/sign-in';
import { AccountReader } from '../../../application/ports/access/access-repositories';
import type { Account } from '../../../domain/access/account';
import { AmbiguousAccount } from '../../../domain/access/errors';
import { attempt, type FormIssues } from '../form-issues';
import { field, optionalField, parameter } from '../form-fields';
import { RepeatFormPage } from '../layout/repeat-form-page';
import { SessionAuthentication } from '../middleware/session-authentication';
import { KeptForms, type KeptForm } from '../middleware/kept-forms';
import { marksOf, rememberBrowser } from '../middleware/known-browser';
import { closeSession, openSession } from '../middleware/sessions';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../visitor';
import { ownPath } from './own-path';
import { SignInPage } from './sign-in-page';
import { seeOther } from '../see-other';

@injectable()
export class SignInPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(SignIn) private readonly signIn: SignIn,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
    @inject(KeptForms) private readonly keptForms: KeptForms,
    @inject(SessionAuthentication) private readonly sessionAuthentication: SessionAuthentication,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sign-in', 'public', this.show.bind(this)],
      ['post', '/sign-in', 'public', this.enter.bind(this)],
      ['post', '/sign-out', 'public', this.leave.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): void {
    const next = parameter(req, 'next');
    if (res.locals.visitor) return seeOther(res, ownPath(next));
    this.form(req, res, { next, email: '', kept: '' });
  }

  private async enter(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [email, next, kept] = [field(req, 'email'), field(req, 'next'), field(req, 'kept')];
    let choices: readonly Account[] = [];
    const outcome = await attempt(async () => {
      const command = {
        email,
        password: field(req, 'password'),
        accountId: optionalField(req, 'account'),
        clientAddress: req.ip ?? '',
        marks: marksOf(req),
      };
      const user = await this.signIn.execute(command).catch(async (error: unknown) => {
        if (error instanceof AmbiguousAccount) choices = await this.accountsOf(error);
        throw error;
      });
      await openSession(req, user);
      return user;
    });
    if ('issues' in outcome) return this.form(req, res, { next, email, kept }, outcome.issues, choices);
    rememberBrowser(req, res, outcome.result.id, this.browsers.markOf(outcome.result));
    if (kept === '') return seeOther(res, ownPath(next));
    await this.repeat(req, res, this.keptForms.open(kept, outcome.result.id));
  }

  private async repeat(req: DashboardRequest, res: DashboardResponse, form: KeptForm | undefined): Promise<void> {
    if (!form) {
      setFlash(req, {
        kind: 'warning',
        text: 'The form from before you signed in was discarded: it was another person’s, or older than an hour.',
      });
      return seeOther(res, '/');
    }
    await this.sessionAuthentication.identify(req, res, () => undefined);
    const page = (
      <RepeatFormPage
        title="Send your form?"
        reason="You were signed out before this form arrived, so nothing was changed. You are signed in again, and can send it now."
        action={form.action}
        fields={form.fields}
        submit="Send it"
        cancel={form.place}
      />
    );
    this.pages.send(req, res, { title: 'Send your form?' }, page);
  }

  private async leave(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await closeSession(req, res);
    seeOther(res, '/sign-in');
  }

  private async accountsOf({ accountIds }: AmbiguousAccount): Promise<readonly Account[]> {
    const accounts = await Promise.all(accountIds.map((id) => this.accounts.find(id)));
    return accounts.filter((account) => account !== undefined);
  }

  private form(
    req: DashboardRequest,
    res: DashboardResponse,
    values: { next: string; email: string; kept: string },
    issues?: FormIssues,
    choices: readonly Account[] = [],
  ): void {
    this.pages.send(
      req,
      res,
      { title: 'Sign in', issues },
      <SignInPage values={values} issues={issues} choices={choices} />,
    );
  }
}
