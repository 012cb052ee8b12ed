import type { RequestHandler } from 'express';
import { inject, injectable } from '../../../application/ports/inject';
import { Reauthenticate } from '../../../application/access/sign-in/reauthenticate';
import { Clock } from '../../../application/ports/system';
import { isRecentlyAuthenticated } from '../../../domain/access/people/session';
import { majorUnits } from '../../../domain/shared/money';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import { attempt, NO_ISSUES, type FormIssues } from '../form-issues';
import { DashboardSettings } from '../dashboard-settings';
import { readField, readFields } from '../form-fields';
import { isPrice, readAgreedPrice } from '../layout/money';
import { parseAgreed } from './agreed-names';
import { PasskeyPrompts } from '../passkeys/passkey-prompts';
import { assertMayTransfer } from '../user-session';
import { CODE_FIELD, ConfirmationForm, PASSKEY_FIELD, PASSWORD_FIELD } from './confirmation-form';

/** Asks for a passkey, or for the password or a provider and the code of users with a second factor, before a sensitive step, unless they were used in this session within the last ten minutes. */
@injectable()
export class Reauthentication {
  constructor(
    @inject(ConfirmationForm) private readonly form: ConfirmationForm,
    @inject(PasskeyPrompts) private readonly prompts: PasskeyPrompts,
    @inject(Reauthenticate) private readonly reauthenticate: Reauthenticate,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Middleware: responds with a password form that repeats the submitted fields.
   * @param applies selects the requests that it guards. Default: all
   */
  require(
    applies: (req: DashboardRequest, res: DashboardResponse) => Promise<boolean> = async () => true,
  ): RequestHandler {
    return async (req, res, next) => {
      if (!(await applies(req as DashboardRequest, res as DashboardResponse))) return next();
      if (await this.isConfirmed(req as DashboardRequest, res as DashboardResponse)) next();
    };
  }

  /**
   * Middleware for steps that let a domain be transferred away, which members may take only if the account allows it.
   * @param applies selects the requests that it guards. Default: all
   * @throws RoleForbids
   */
  requireForTransfer(applies: (req: DashboardRequest) => boolean = () => true): RequestHandler {
    return async (req, res, next) => {
      if (!applies(req as DashboardRequest)) return next();
      assertMayTransfer((res as DashboardResponse).locals.userSession);
      if (await this.isConfirmed(req as DashboardRequest, res as DashboardResponse)) next();
    };
  }

  /**
   * Middleware for every form: one that agrees to a price asks from an amount on that the operator sets. The price cannot be
   * understated, because orders are refused at any price but the agreed one.
   */
  requireForOrder(): RequestHandler {
    const { confirmOrdersFrom: from } = this.settings;
    return this.require(async (req) => from > 0 && agreedTotal(req) >= from);
  }

  private async isConfirmed(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    const { user, sessionDigest, authenticatedAt } = res.locals.userSession;
    if (isRecentlyAuthenticated(authenticatedAt, this.clock.now())) return true;
    if (readField(req, PASSKEY_FIELD) !== '') return this.isConfirmedByPasskey(req, res);
    const password = readField(req, PASSWORD_FIELD);
    if (password === '')
      return this.form.render(
        req,
        res,
        req.body?.[PASSWORD_FIELD] === undefined ? undefined : issuesOf('Enter your password'),
      );
    const outcome = await attempt(() =>
      this.reauthenticate.execute({ userId: user.id, sessionDigest, password, code: readField(req, CODE_FIELD) }),
    );
    if (!('issues' in outcome)) return true;
    const { issues } = outcome;
    return this.form.render(
      req,
      res,
      // The form does not keep the password.
      issues.fields.has(CODE_FIELD) ? issuesOf('Enter it again', issues) : issues,
    );
  }

  private async isConfirmedByPasskey(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    const { user, sessionDigest } = res.locals.userSession;
    const outcome = await attempt(async () => {
      await this.prompts.verify(req, { personId: user.personId, isOnlyFactor: true, field: PASSKEY_FIELD });
      await this.reauthenticate.recordPasskey(sessionDigest);
    });
    return 'issues' in outcome ? this.form.render(req, res, outcome.issues) : true;
  }
}

function issuesOf(password: string, issues: FormIssues = { ...NO_ISSUES, status: 400 }): FormIssues {
  return { ...issues, fields: new Map([[PASSWORD_FIELD, password], ...issues.fields]) };
}

/** The sum of the prices in the form, in whole units. What is no price, which orders refuse, counts nothing. */
function agreedTotal(req: DashboardRequest): number {
  const agreed = readFields(req, 'agreed').flatMap(parseAgreed);
  return [readAgreedPrice(req), ...agreed.map(({ price }) => price)]
    .filter(isPrice)
    .reduce((sum, price) => sum + majorUnits(price), 0);
}
