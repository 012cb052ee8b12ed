import { inject, injectable } from '../../../application/ports/inject';
import { ChangeAutoRenewal } from '../../../application/registration/settings/change-auto-renewal';
import { TakeOverRenewal } from '../../../application/registrar/take-over-renewal';
import { ChangeTransferLock } from '../../../application/registration/settings/change-transfer-lock';
import { FindDomain } from '../../../application/registration/find-domain';
import { IssueAuthCode } from '../../../application/registration/settings/issue-auth-code';
import { describeRenewal, displayName } from '../layout/domain/domain-labels';
import { attempt, type FormIssues } from '../form-issues';
import type { DomainState } from '../../../domain/registration/domain';
import { assertMayTransfer } from '../user-session';
import { readField } from '../form-fields';
import { Reauthentication } from '../reauthentication/reauthentication';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { AuthCodeFormPage, AuthCodePage } from './danger/auth-code-page';
import { assertTypedName } from './danger/typed-name';
import { findDomainOf, readDomainId, redirectToDomain } from '../layout/domain/domain-request';

/** Auto-renewal, transfer lock and auth code of a domain. */
@injectable()
export class DomainSettingPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ChangeAutoRenewal) private readonly changeAutoRenewal: ChangeAutoRenewal,
    @inject(TakeOverRenewal) private readonly takeOverRenewal: TakeOverRenewal,
    @inject(ChangeTransferLock) private readonly changeTransferLock: ChangeTransferLock,
    @inject(IssueAuthCode) private readonly issueAuthCode: IssueAuthCode,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['post', '/domains/:id/auto-renewal', 'settings', this.putAutoRenewal.bind(this)],
      [
        'post',
        '/domains/:id/transfer-lock',
        'settings',
        this.putTransferLock.bind(this),
        { before: this.reauthentication.requireForTransfer(isUnlock) },
      ],
      ['get', '/domains/:id/auth-code', 'transfer', this.showAuthCode.bind(this)],
      [
        'post',
        '/domains/:id/auth-code',
        'transfer',
        this.postAuthCode.bind(this),
        { before: this.reauthentication.requireForTransfer() },
      ],
    ];
  }

  private async putAutoRenewal(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const autoRenew = readField(req, 'on') === 'yes';
    const command = { ...getRequester(res), domainId: readDomainId(req), autoRenew };
    const state = await findDomainOf(req, res, this.findDomain);
    const renewedBy = readField(req, 'renewed_by') === 'service' ? 'service' : undefined;
    const enabled = this.takeOverRenewal.registrarRenewalFor(state, { autoRenew, renewedBy });
    const outcome =
      enabled === undefined
        ? await attempt(async () => ({ domain: await this.changeAutoRenewal.execute(command) }))
        : await attempt(() => this.takeOverRenewal.execute({ ...command, enabled }));
    redirectToDomain(
      req,
      res,
      outcome,
      'issues' in outcome
        ? ''
        : `Auto-renewal is ${autoRenew ? 'on' : 'off'}. ${describeRenewal(outcome.result.domain.toState())}`,
    );
  }

  private async putTransferLock(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const locked = readField(req, 'on') === 'yes';
    const outcome = await attempt(() =>
      this.changeTransferLock.execute({ ...getRequester(res), domainId: readDomainId(req), locked }),
    );
    redirectToDomain(
      req,
      res,
      outcome,
      locked
        ? 'The transfer lock is on. The domain cannot be transferred.'
        : 'The transfer lock is off. The domain can be transferred with an auth code.',
      readField(req, 'then') === 'transfer-out' ? '/transfer-out' : '',
    );
  }

  private async showAuthCode(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    assertMayTransfer(res.locals.userSession);
    this.renderAuthCodeForm(req, res, await findDomainOf(req, res, this.findDomain));
  }

  private renderAuthCodeForm(
    req: DashboardRequest,
    res: DashboardResponse,
    domain: DomainState,
    issues?: FormIssues,
  ): void {
    const head = { title: `Auth code for ${displayName(domain.name)}`, section: 'domains', issues } as const;
    this.renderer.render(req, res, head, <AuthCodeFormPage domain={domain} issues={issues} />);
  }

  private async postAuthCode(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const found = await findDomainOf(req, res, this.findDomain);
    const outcome = await attempt(async () => {
      assertTypedName(req, found.name);
      return this.issueAuthCode.execute({ ...getRequester(res), domainId: found.id });
    });
    if ('issues' in outcome && outcome.issues.fields.size > 0)
      return this.renderAuthCodeForm(req, res, found, outcome.issues);
    if ('issues' in outcome || !outcome.result.authCode)
      return redirectToDomain(
        req,
        res,
        outcome,
        'The auth code was issued but cannot be shown again. Request a new one.',
      );
    const domain = outcome.result.domain.toState();
    this.renderer.render(
      req,
      res,
      { title: `Auth code for ${displayName(domain.name)}`, section: 'domains' },
      <AuthCodePage domain={domain} authCode={outcome.result.authCode} warnings={outcome.result.warnings ?? []} />,
    );
  }
}

function isUnlock(req: DashboardRequest): boolean {
  return readField(req, 'on') !== 'yes';
}
