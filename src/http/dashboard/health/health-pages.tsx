import { inject, injectable } from '../../../application/ports/inject';
import { CheckHealth } from '../../../application/health/check-health';
import { ReadHealth } from '../../../application/health/read-health';
import {
  BULK,
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
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { HealthPage } from './health-page';

/** Whether a domain works: the last result of its checks, and checks on demand. */
@injectable()
export class HealthPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadHealth) private readonly readHealth: ReadHealth,
    @inject(CheckHealth) private readonly checkHealth: CheckHealth,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains/:id/health', 'read', this.show.bind(this)],
      ['post', '/domains/:id/health', 'read', this.check.bind(this), { cost: BULK }],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const health = await this.readHealth.execute({ ...getRequester(res), domainId: readDomainId(req) });
    this.renderer.render(
      req,
      res,
      { title: `Health of ${displayName(health.domain.name.value)}`, section: 'domains' },
      <HealthPage health={health} />,
    );
  }

  private async check(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { domain } = await this.checkHealth.execute({ ...getRequester(res), domainId: readDomainId(req) });
    setFlash(req, { kind: 'success', text: 'The domain has been checked.' });
    redirect(res, readField(req, 'from') === 'details' ? `/domains/${domain.id}` : `/domains/${domain.id}/health`);
  }
}
