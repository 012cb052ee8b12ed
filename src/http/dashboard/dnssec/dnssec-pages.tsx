import { inject, injectable } from '../../../application/ports/inject';
import { ChangeSigning } from '../../../application/dnssec/change-signing';
import { ReadSigning } from '../../../application/dnssec/read-signing';
import { RollKey } from '../../../application/dnssec/roll-key';
import { RegistrationSettings } from '../../../application/registration/registration-settings';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readDomainId } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import { setFlash } from '../flash';
import { readField } from '../form-fields';
import { attempt } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { DnssecPage } from './dnssec-page';

/** The DNSSEC switch of a domain, its progress, and key rollovers. */
@injectable()
export class DnssecPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadSigning) private readonly readSigning: ReadSigning,
    @inject(ChangeSigning) private readonly changeSigning: ChangeSigning,
    @inject(RollKey) private readonly rollKey: RollKey,
    @inject(RegistrationSettings) private readonly settings: RegistrationSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/dnssec', 'read', this.show.bind(this)],
      ['post', '/domains/:id/dnssec', 'settings', this.put.bind(this)],
      ['post', '/domains/:id/dnssec/roll', 'settings', this.roll.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.readSigning.execute({ ...getRequester(res), domainId: readDomainId(req) });
    this.renderer.render(
      req,
      res,
      { title: `DNSSEC of ${displayName(report.domain.name.value)}`, section: 'domains' },
      <DnssecPage report={report} ownNameservers={this.settings.defaultNameservers} />,
    );
  }

  private async put(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const enabled = readField(req, 'on') === 'yes';
    const command = { ...getRequester(res), domainId: readDomainId(req), enabled };
    await this.carryOut(
      req,
      res,
      () => this.changeSigning.execute(command),
      enabled
        ? 'DNSSEC is being switched on. This page shows the progress.'
        : 'DNSSEC is being switched off. Keep the nameservers until it is off.',
    );
  }

  private async roll(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const command = { ...getRequester(res), domainId: readDomainId(req) };
    await this.carryOut(req, res, () => this.rollKey.execute(command), 'The key is being replaced.');
  }

  private async carryOut(
    req: DashboardRequest,
    res: DashboardResponse,
    work: () => Promise<unknown>,
    message: string,
  ): Promise<void> {
    const outcome = await attempt(work);
    if ('issues' in outcome) setFlash(req, { kind: 'warning', text: outcome.issues.message ?? 'Try again.' });
    else setFlash(req, { kind: 'success', text: message });
    redirect(res, `/domains/${readDomainId(req)}/dnssec`);
  }
}
