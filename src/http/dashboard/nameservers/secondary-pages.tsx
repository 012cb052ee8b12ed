import { inject, injectable } from 'inversify';
import { ReadSecondaries } from '../../../application/dns/publishing/read-secondaries';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { PageRenderer } from '../page-renderer';
import { SecondariesPage } from './secondaries-page';

/** The secondaries of this service, for owners. Secrets are not shown. */
@injectable()
export class SecondaryPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadSecondaries) private readonly secondaries: ReadSecondaries,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/nameservers', 'owner', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const report = await this.secondaries.execute();
    this.renderer.render(req, res, { title: 'Nameservers', section: 'settings' }, <SecondariesPage {...report} />);
  }
}
