import { inject, injectable } from '../../../application/ports/inject';
import { OwnIdentities } from '../../../application/access/identities/own-identities';
import { Reauthenticate } from '../../../application/access/sign-in/reauthenticate';
import { IdentityProviders } from '../../../application/ports/access/authentication';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { PayloadTooLarge } from '../../shared/errors';
import { setFlash, type Flash } from '../flash';
import { readField } from '../form-fields';
import { attempt } from '../form-issues';
import { MAX_COOKIE_FORM } from '../middleware/saved-forms';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { toLocalPath } from '../middleware/local-path';
import { SignInArrival } from '../sign-in/sign-in-arrival';
import { AuthorizationFlow } from './authorization-flow';
import { ProvidersPage } from './providers-page';

const PATH = '/settings/providers';
const WRONG_CODE = 'The code is not right or was used already';

/** The person's own accounts at sign-in providers. */
@injectable()
export class ProviderSettingsPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(AuthorizationFlow) private readonly flow: AuthorizationFlow,
    @inject(IdentityProviders) private readonly providers: IdentityProviders,
    @inject(OwnIdentities) private readonly ownIdentities: OwnIdentities,
    @inject(Reauthenticate) private readonly reauthenticate: Reauthenticate,
    @inject(SignInArrival) private readonly arrival: SignInArrival,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const confirmed = { before: this.reauthentication.require() };
    return [
      ['get', PATH, 'signed-in', this.show.bind(this)],
      ['post', `${PATH}/unlink`, 'signed-in', this.unlink.bind(this), confirmed],
      ['post', `${PATH}/:provider/link`, 'signed-in', this.link.bind(this), confirmed],
      ['post', `${PATH}/:provider/confirm`, 'signed-in', this.confirm.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const identities = await this.ownIdentities.list(res.locals.userSession.user.personId);
    const page = <ProvidersPage providers={this.providers.all} identities={identities} />;
    this.renderer.render(req, res, { title: 'Sign-in providers', section: 'settings' }, page);
  }

  private async link(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.flow.findProvider(req);
    const purpose = { kind: 'link', session: res.locals.userSession.sessionDigest } as const;
    const issues = await this.flow.renderLink(req, res, { provider, purpose, cancel: PATH });
    if (issues) this.warn(req, res, issues.message);
  }

  /** A person whose provider counts as a second factor sends no code. */
  private async confirm(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const provider = this.flow.findProvider(req);
    const { user, sessionDigest: session } = res.locals.userSession;
    const next = toLocalPath(readField(req, 'next'));
    const savedForm = readField(req, 'saved_form');
    if (savedForm.length > MAX_COOKIE_FORM) throw new PayloadTooLarge();
    const verifying = await attempt(() => this.reauthenticate.verifyCode(user.id, readField(req, 'confirm_code')));
    if ('issues' in verifying)
      return this.arrival.showForm(req, res, { next, savedForm }, describe(verifying.issues.message ?? WRONG_CODE));
    const purpose = { kind: 'confirm', session, next, savedForm, hasEnteredCode: verifying.result } as const;
    const issues = await this.flow.renderLink(req, res, { provider, purpose, cancel: next });
    if (issues) this.arrival.showForm(req, res, { next, savedForm }, describe(issues.message));
  }

  private async unlink(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest: keepSession } = res.locals.userSession;
    const command = { userId: user.id, id: readField(req, 'id'), keepSession };
    const outcome = await attempt(() => this.ownIdentities.unlink(command));
    if ('issues' in outcome)
      return this.warn(req, res, 'The provider was not unlinked, because it is your only way to sign in');
    setFlash(req, { kind: 'success', text: 'The provider was unlinked. Your other sessions have ended.' });
    redirect(res, PATH);
  }

  private warn(req: DashboardRequest, res: DashboardResponse, message: string | undefined): void {
    setFlash(req, describe(message));
    redirect(res, PATH);
  }
}

function describe(message = 'That did not work'): Flash {
  return { kind: 'warning', text: message.endsWith('.') ? message : `${message}.` };
}
