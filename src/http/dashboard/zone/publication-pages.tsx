import { inject, injectable } from 'inversify';
import { ReadPublication } from '../../../application/dns/publishing/read-publication';
import { FindDomain } from '../../../application/registration/find-domain';
import { displayName } from '../domains/domain-words';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRoute, DashboardRequest, DashboardResponse } from '../visitor';
import { PublicationPage } from './publication-page';

/** Whether the world sees the zone as it is. */
@injectable()
export class PublicationPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadPublication) private readonly readPublication: ReadPublication,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/domains/:id/publication', 'member', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const question = { accountId: res.locals.visitor.accountId, domainId: req.params['id'] ?? '' };
    const domain = (await this.findDomain.byId(question)).toState();
    const report = await this.readPublication.execute(question);
    this.pages.send(
      req,
      res,
      { title: `Publication of ${displayName(domain.name)}`, section: 'domains' },
      <PublicationPage domain={domain} report={report} />,
    );
  }
}
