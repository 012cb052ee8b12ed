import { inject, injectable } from 'inversify';
import { PageHeading } from '../layout/parts';
import { Pages } from '../pages';
import type { DashboardHandler, DashboardPages, DashboardRoute } from '../visitor';

@injectable()
export class OverviewPages implements DashboardPages {
  constructor(@inject(Pages) private readonly pages: Pages) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/', 'member', this.show]];
  }

  private readonly show: DashboardHandler = (req, res) => {
    this.pages.send(req, res, { title: 'Overview', section: 'overview' }, <PageHeading title="Overview" lead={res.locals.visitor.account.name} />);
  };
}
