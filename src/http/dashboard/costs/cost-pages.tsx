import { inject, injectable } from '../../../application/ports/inject';
import { ReadCosts } from '../../../application/registration/costs/read-costs';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { PageRenderer } from '../page-renderer';
import { toCostCsv } from './cost-csv';
import { CostsPage } from './costs-page';

/** What registries charged, and what renewals will cost. */
@injectable()
export class CostPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadCosts) private readonly costs: ReadCosts,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/costs', 'read', this.show.bind(this)],
      ['get', '/costs.csv', 'read', this.export.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.costs.execute(getRequester(res));
    this.renderer.render(req, res, { title: 'Costs', section: 'costs' }, <CostsPage report={report} />);
  }

  private async export(_req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.costs.execute(getRequester(res));
    res.type('text/csv');
    res.setHeader('Content-Disposition', 'attachment; filename="costs.csv"');
    res.send(toCostCsv(report));
  }
}
