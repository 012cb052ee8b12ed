import { inject, injectable } from '../../../application/ports/inject';
import { ReadPublication } from '../../../application/dns/publishing/read-publication';
import { FindDomain } from '../../../application/registration/find-domain';
import { findDomainOf } from '../layout/domain/domain-request';
import { displayName } from '../layout/domain/domain-labels';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { PublicationPage } from './publication-page';

/** Whether the nameservers serve the current version of the zone. */
@injectable()
export class PublicationPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadPublication) private readonly readPublication: ReadPublication,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/domains/:id/publication', 'read', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = { ...getRequester(res), domainId: req.params['id'] ?? '' };
    const domain = await findDomainOf(req, res, this.findDomain);
    const report = await this.readPublication.execute(query);
    const shownBy = req.get('HX-Current-URL');
    this.renderer.render(
      req,
      res,
      { title: `Publication of ${displayName(domain.name)}`, section: 'domains' },
      <PublicationPage
        domain={domain}
        report={report}
        isElsewhere={shownBy !== undefined && !shownBy.includes('/publication')}
      />,
    );
  }
}
