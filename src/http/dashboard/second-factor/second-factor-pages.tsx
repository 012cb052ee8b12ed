import { inject, injectable } from '../../../application/ports/inject';
import { RecoveryCodes } from '../../../application/access/second-factor/recovery-codes';
import { RemoveFactors, RequiredSecondFactor } from '../../../application/access/second-factor/remove-factors';
import { TotpEnrollment, type TotpOffer } from '../../../application/access/second-factor/totp-enrollment';
import { FactorReader } from '../../../application/ports/access/authentication';
import {
  hasSecondFactor,
  needsSecondFactor,
  type SecondFactorRule,
} from '../../../domain/access/factors/second-factor-rule';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { RecoveryCodesPage } from './recovery-codes-page';
import { SecondFactorsPage } from './second-factors-page';
import { TotpPage } from './totp-page';

const PATH = '/settings/second-factor';

/** The user's own second factors. */
@injectable()
export class SecondFactorPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FactorReader) private readonly factors: FactorReader,
    @inject(TotpEnrollment) private readonly enrollment: TotpEnrollment,
    @inject(RecoveryCodes) private readonly recoveryCodes: RecoveryCodes,
    @inject(RemoveFactors) private readonly removeFactors: RemoveFactors,
    @inject(RequiredSecondFactor) private readonly rule: SecondFactorRule,
  ) {}

  get routes(): readonly DashboardRoute[] {
    const confirmed = { before: this.reauthentication.require() };
    return [
      ['get', PATH, 'signed-in', this.show.bind(this)],
      ['get', `${PATH}/app`, 'signed-in', this.offerTotp.bind(this)],
      ['post', `${PATH}/app`, 'signed-in', this.addTotp.bind(this), confirmed],
      ['post', `${PATH}/app/remove`, 'signed-in', this.removeTotp.bind(this), confirmed],
      ['post', `${PATH}/recovery-codes`, 'signed-in', this.renewCodes.bind(this), confirmed],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const { user, hasUsedSecondFactor } = res.locals.userSession;
    const required = needsSecondFactor(this.rule, user.role);
    const page = (
      <SecondFactorsPage
        factors={await this.factors.ofUser(user.personId)}
        required={required}
        missing={required && !hasUsedSecondFactor}
        issues={issues}
      />
    );
    this.renderer.render(req, res, { title: 'Second factor', section: 'settings', issues }, page);
  }

  private offerTotp(req: DashboardRequest, res: DashboardResponse): void {
    this.renderOffer(req, res, this.enrollment.offer(res.locals.userSession.user));
  }

  private async addTotp(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest } = res.locals.userSession;
    const sealed = readField(req, 'sealed');
    const { id: userId, personId } = user;
    const command = { userId, personId, sealed, code: readField(req, 'code'), keepSession: sessionDigest };
    const outcome = await attempt(() => this.enrollment.confirm(command));
    if ('issues' in outcome) {
      const offer = this.enrollment.reopen(user, sealed) ?? this.enrollment.offer(user);
      return this.renderOffer(req, res, offer, outcome.issues);
    }
    if (outcome.result.length > 0) return this.renderCodes(req, res, outcome.result);
    setFlash(req, {
      kind: 'success',
      text: 'The new authenticator app is in use. Codes of the old one no longer work.',
    });
    redirect(res, PATH);
  }

  private async removeTotp(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() => this.removeFactors.removeTotp(res.locals.userSession.user.id), { fields: [] });
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'The authenticator app was removed.' });
    redirect(res, PATH);
  }

  private async renewCodes(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { id, personId } = res.locals.userSession.user;
    if (!hasSecondFactor(await this.factors.ofUser(personId))) return redirect(res, PATH);
    this.renderCodes(req, res, await this.recoveryCodes.renew(id));
  }

  private renderOffer(req: DashboardRequest, res: DashboardResponse, offer: TotpOffer, issues?: FormIssues): void {
    const head = { title: 'Authenticator app', section: 'settings', issues } as const;
    this.renderer.render(req, res, head, <TotpPage offer={offer} issues={issues} />);
  }

  private renderCodes(req: DashboardRequest, res: DashboardResponse, codes: readonly string[]): void {
    const head = { title: 'Recovery codes', section: 'settings' } as const;
    this.renderer.render(req, res, head, <RecoveryCodesPage codes={codes} />);
  }
}
