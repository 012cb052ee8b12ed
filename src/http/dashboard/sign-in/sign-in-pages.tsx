import type { ErrorRequestHandler } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { countAttempt } from '../../../application/access/sign-in/count-attempt';
import { SignIn } from '../../../application/access/sign-in/sign-in';
import { VerifySecondFactor } from '../../../application/access/second-factor/verify-second-factor';
import { NoticeSettings } from '../../../application/notices/notice-settings';
import { AccountReader } from '../../../application/ports/access/accounts-and-api-keys';
import { SignInAddressLimiter, type RateLimiter } from '../../../application/ports/access/rate-limits-and-usage';
import type { Account } from '../../../domain/access/account';
import { AmbiguousAccount } from '../../../domain/access/access-errors';
import { FormExpired } from '../../shared/errors';
import { attempt } from '../form-issues';
import { readField, readOptionalField, readParameter } from '../form-fields';
import { readRefusedFields } from '../middleware/form-body';
import { readBrowserMarks } from '../middleware/known-browser';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { toLocalPath } from '../middleware/local-path';
import { SignInArrival } from './sign-in-arrival';
import { SignInPage, type SignInPageProps } from './sign-in-page';
import { SignInSteps } from './sign-in-steps';
import { redirect } from '../redirect';

type FormState = Pick<SignInPageProps, 'values'> & Partial<Pick<SignInPageProps, 'issues' | 'accounts' | 'reason'>>;

@injectable()
export class SignInPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SignIn) private readonly signIn: SignIn,
    @inject(AccountReader) private readonly accounts: AccountReader,
    @inject(SignInSteps) private readonly steps: SignInSteps,
    @inject(VerifySecondFactor) private readonly verifySecondFactor: VerifySecondFactor,
    @inject(SignInArrival) private readonly arrival: SignInArrival,
    @inject(SignInAddressLimiter) private readonly byAddress: RateLimiter<'sign-in-address'>,
    @inject(NoticeSettings) private readonly notices: Pick<NoticeSettings, 'delivery'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const onError = this.proceedIfSignedIn();
    return [
      ['get', '/sign-in', 'public', this.show.bind(this)],
      ['post', '/sign-in', 'public', this.signInUser.bind(this), { onError }],
      ['post', '/sign-in/passkey', 'public', this.signInByPasskey.bind(this), { onError }],
      ['post', '/sign-in/second-factor', 'public', this.enterSecondFactor.bind(this), { onError }],
    ];
  }

  /** The form may be older than a sign-in in another tab. Only the page to which it leads is read from it. */
  private proceedIfSignedIn(): ErrorRequestHandler {
    return async (error: unknown, req, res, next) => {
      const { userSession } = (res as DashboardResponse).locals as Partial<DashboardResponse['locals']>;
      if (!(error instanceof FormExpired) || !userSession) return next(error);
      const form = { body: readRefusedFields(req, res) } as Pick<DashboardRequest, 'body'>;
      const ticket = readField(form, 'ticket');
      const target =
        ticket === ''
          ? { next: readField(form, 'next'), savedForm: readField(form, 'saved_form') }
          : this.steps.targetOf(ticket);
      const flash = {
        kind: 'success',
        text: `You had signed in as ${userSession.user.email} in another tab. What you entered here was not used.`,
      } as const;
      const { id } = userSession.user;
      await this.arrival.proceed(req as DashboardRequest, res as DashboardResponse, id, { ...target, flash });
    };
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const next = readParameter(req, 'next');
    if (res.locals.userSession) return redirect(res, toLocalPath(next));
    await this.renderForm(req, res, { values: { next, email: '', saved_form: '' } });
  }

  private async signInUser(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const [email, next, savedForm] = [readField(req, 'email'), readField(req, 'next'), readField(req, 'saved_form')];
    const accountId = readOptionalField(req, 'account');
    let accounts: readonly Account[] = [];
    const outcome = await attempt(async () => {
      const command = {
        email,
        password: readField(req, 'password'),
        accountId,
        clientAddress: req.ip ?? '',
        marks: readBrowserMarks(req),
      };
      const found = await this.signIn.execute(command).catch(async (error: unknown) => {
        if (error instanceof AmbiguousAccount) accounts = await this.findAccounts(error);
        throw error;
      });
      const user = accountId === undefined ? await this.arrival.chooseUser(found, savedForm) : found;
      return { user, isOpen: await this.steps.openOrAsk(req, res, user, { next, savedForm }) };
    });
    if ('issues' in outcome) {
      const values = { next, email, saved_form: savedForm };
      return this.renderForm(req, res, { values, issues: outcome.issues, accounts });
    }
    const { user, isOpen } = outcome.result;
    if (isOpen) await this.arrival.proceed(req, res, user.id, { next, savedForm });
  }

  /** The passkey is the only factor, so it must verify the user. */
  private async signInByPasskey(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const target = { next: readField(req, 'next'), savedForm: readField(req, 'saved_form') };
    const outcome = await attempt(async () => {
      await countAttempt(this.byAddress, req.ip ?? '');
      const user = await this.arrival.chooseUser(await this.steps.verifyPasskey(req), target.savedForm);
      await this.steps.open(req, res, user, { hasUsedSecondFactor: true });
      return user;
    });
    if ('result' in outcome) return this.arrival.proceed(req, res, outcome.result.id, target);
    const values = { next: target.next, email: '', saved_form: target.savedForm };
    await this.renderForm(req, res, { values, issues: outcome.issues });
  }

  private async enterSecondFactor(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const ticket = readField(req, 'ticket');
    const pending = await this.steps.read(ticket);
    if (!pending) {
      const reason = 'This sign-in began more than five minutes ago, or your password has changed since. Start again.';
      const { next, savedForm } = this.steps.targetOf(ticket);
      return this.renderForm(req, res, { values: { next, email: '', saved_form: savedForm }, reason });
    }
    const { user } = pending;
    const outcome = await attempt(async () => {
      if (readField(req, 'passkey') === '')
        await this.verifySecondFactor.execute({ userId: user.id, code: readField(req, 'code') });
      else await this.steps.verifyPasskey(req, user.toState().personId);
      await this.steps.open(req, res, user, { ...pending, hasUsedSecondFactor: true });
    });
    if ('issues' in outcome) return this.steps.renderForm(req, res, user, ticket, outcome.issues);
    await this.arrival.proceed(req, res, user.id, pending);
  }

  private async findAccounts({ accountIds }: AmbiguousAccount): Promise<readonly Account[]> {
    const accounts = await Promise.all(accountIds.map((id) => this.accounts.find(id)));
    return accounts.filter((account) => account !== undefined);
  }

  private async renderForm(
    req: DashboardRequest,
    res: DashboardResponse,
    { values, issues, accounts = [], reason }: FormState,
  ): Promise<void> {
    const page = (
      <SignInPage
        values={values}
        issues={issues}
        accounts={accounts}
        passkey={await this.steps.promptPasskey(req)}
        reason={reason}
        mailsLinks={this.notices.delivery !== 'off'}
      />
    );
    this.renderer.render(req, res, { title: 'Sign in', issues }, page);
  }
}
