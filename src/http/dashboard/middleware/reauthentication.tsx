import type { RequestHandler } from 'express';
import { inject, injectable } from 'inversify';
import { Reauthenticate } from '../../../application/access/sign-in/reauthenticate';
import { IdentityProviders } from '../../../application/ports/access/identity-providers';
import { IdentityReader } from '../../../application/ports/access/identity-repository';
import { FactorReader } from '../../../application/ports/access/factor-repository';
import { Clock } from '../../../application/ports/system/clock';
import { isRecentlyAuthenticated } from '../../../domain/access/people/session';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import type { DashboardRequest, DashboardResponse } from '../dashboard-route';
import { attempt, type FormIssues } from '../form-issues';
import { DashboardSettings } from '../dashboard-settings';
import { listFormFields, readField, readFields } from '../form-fields';
import { isPrice, readAgreedPrice, toUnits } from '../layout/money';
import { PageRenderer } from '../page-renderer';
import { parseAgreed } from '../register/agreed-names';
import { CHALLENGE_SUFFIX, PasskeyPrompts } from '../second-factor/passkey-prompts';
import { assertMayTransfer } from '../user-session';
import { ConfirmPasswordPage } from './confirm-password-page';
import { HIDDEN_FIELDS, SavedForms } from './saved-forms';

const PASSWORD_FIELD = 'confirm_password';
const CODE_FIELD = 'confirm_code';
const PASSKEY_FIELD = 'confirm_passkey';
const CONFIRMATION: readonly string[] = [
  PASSWORD_FIELD,
  CODE_FIELD,
  PASSKEY_FIELD,
  `${PASSKEY_FIELD}${CHALLENGE_SUFFIX}`,
];

/** Asks for a passkey, or for the password or a provider and the code of users with a second factor, before a sensitive step, unless they were used in this session within the last ten minutes. */
@injectable()
export class Reauthentication {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(PasskeyPrompts) private readonly prompts: PasskeyPrompts,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(Reauthenticate) private readonly reauthenticate: Reauthenticate,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(SavedForms) private readonly savedForms: SavedForms,
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
    if (password === '') return this.renderPasswordForm(req, res);
    const outcome = await attempt(() =>
      this.reauthenticate.execute({ userId: user.id, sessionDigest, password, code: readField(req, CODE_FIELD) }),
    );
    return 'issues' in outcome ? this.renderPasswordForm(req, res, outcome.issues) : true;
  }

  private async isConfirmedByPasskey(req: DashboardRequest, res: DashboardResponse): Promise<boolean> {
    const { user, sessionDigest } = res.locals.userSession;
    const outcome = await attempt(async () => {
      await this.prompts.verify(req, { personId: user.personId, isOnlyFactor: true, field: PASSKEY_FIELD });
      await this.reauthenticate.recordPasskey(sessionDigest);
    });
    return 'issues' in outcome ? this.renderPasswordForm(req, res, outcome.issues) : true;
  }

  private async renderPasswordForm(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<false> {
    const fields = listFormFields(req).filter(([name]) => !CONFIRMATION.includes(name));
    const cancel = getParentPage(req.path);
    const isUpload = Boolean(req.is('multipart/form-data'));
    const submitted = fields.filter(([name]) => !HIDDEN_FIELDS.includes(name));
    const form = { action: req.originalUrl, returnPath: cancel, fields: submitted };
    const { personId, passwordHash } = res.locals.userSession.user;
    const identities = this.providers.all.length > 0 ? await this.identities.ofPeople([personId]) : [];
    const factors = await this.factors.ofUser(personId);
    const passkey = factors.passkeys.length > 0 ? await this.prompts.ofPerson(req, personId, true) : undefined;
    const page = (
      <ConfirmPasswordPage
        withCode={hasSecondFactor(factors)}
        passkey={passkey}
        hasPassword={passwordHash !== null}
        providers={identities.length > 0 ? this.providers.all : []}
        action={req.originalUrl}
        cancel={cancel}
        savedForm={isUpload ? '' : this.savedForms.sealForCookie(form, res.locals.userSession.user.id)}
        fields={fields}
        issues={issues}
      />
    );
    this.renderer.render(
      req,
      res,
      {
        title: passwordHash === null ? 'Confirm that it is you' : 'Confirm your password',
        issues: issues ?? { status: 403 },
      },
      page,
    );
    return false;
  }
}

/** The sum of the prices in the form, in whole units. What is no price, which orders refuse, counts nothing. */
function agreedTotal(req: DashboardRequest): number {
  const agreed = readFields(req, 'agreed').flatMap(parseAgreed);
  return [readAgreedPrice(req), ...agreed.map(({ price }) => price)]
    .filter(isPrice)
    .reduce((sum, price) => sum + toUnits(price), 0);
}

/** The page that has the form which posts to `path`. */
function getParentPage(path: string): string {
  const [, section = '', id = ''] = path.split('/');
  return section === 'domains' ? `/domains/${id}` : `/${section}`;
}
