import { inject, injectable } from '../../../application/ports/inject';
import { IdentityProviders, FactorReader } from '../../../application/ports/access/authentication';
import { IdentityReader } from '../../../application/ports/access/users';
import { hasSecondFactor } from '../../../domain/access/factors/second-factor-rule';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { getRequester, type DashboardRequest, type DashboardResponse } from '../dashboard-route';
import { displayName } from '../layout/domain/domain-labels';
import { describeStep, readDomainIdOf } from './describe-step';
import type { FormIssues } from '../form-issues';
import { listFormFields } from '../form-fields';
import { PageRenderer } from '../page-renderer';
import { CHALLENGE_SUFFIX, PasskeyPrompts } from '../passkeys/passkey-prompts';
import { ConfirmPasswordPage } from './confirm-password-page';
import { HIDDEN_FIELDS, readReturnPath, SavedForms } from '../middleware/saved-forms';

export const PASSWORD_FIELD = 'confirm_password';
export const CODE_FIELD = 'confirm_code';
export const PASSKEY_FIELD = 'confirm_passkey';
const CONFIRMATION: readonly string[] = [
  PASSWORD_FIELD,
  CODE_FIELD,
  PASSKEY_FIELD,
  `${PASSKEY_FIELD}${CHALLENGE_SUFFIX}`,
];

/** The form by which a person confirms a sensitive step. It repeats the fields of the step. */
@injectable()
export class ConfirmationForm {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(PasskeyPrompts) private readonly prompts: PasskeyPrompts,
    @inject(IdentityReader) private readonly identities: IdentityReader,
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(SavedForms) private readonly savedForms: SavedForms,
    @inject(VisibleDomains) private readonly domains: Pick<VisibleDomains, 'names'>,
  ) {}

  /** Returns false: nothing is confirmed yet. */
  async render(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<false> {
    const fields = listFormFields(req).filter(
      ([name]) => !CONFIRMATION.includes(name) && !HIDDEN_FIELDS.includes(name),
    );
    const cancel = readReturnPath(req.body);
    const isUpload = Boolean(req.is('multipart/form-data'));
    const form = { action: req.originalUrl, returnPath: cancel, fields };
    const { personId, passwordHash } = res.locals.userSession.user;
    const identities = this.providers.all.length > 0 ? await this.identities.ofPersons([personId]) : [];
    const factors = await this.factors.ofUser(personId);
    const passkey = factors.passkeys.length > 0 ? await this.prompts.ofPerson(req, personId, true) : undefined;
    const step = await this.describe(req, res);
    const page = (
      <ConfirmPasswordPage
        step={step}
        code={!hasSecondFactor(factors) ? 'none' : factors.totp ? 'app' : 'recovery'}
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
        title:
          step === undefined
            ? passwordHash === null
              ? 'Confirm that it is you'
              : 'Confirm your password'
            : `Confirm: ${step}`,
        issues: issues ?? { status: 403 },
      },
      page,
    );
    return false;
  }

  private async describe(req: DashboardRequest, res: DashboardResponse): Promise<string | undefined> {
    const id = readDomainIdOf(req.path);
    const name = id === undefined ? undefined : (await this.domains.names(getRequester(res), [id])).get(id);
    return describeStep(req.path, name === undefined ? undefined : displayName(name));
  }
}
