import { inject, injectable } from '../../../application/ports/inject';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { PageRenderer } from '../page-renderer';
import { AddPage } from './add-page';

/** The ways to add a name. */
@injectable()
export class AddPages implements DashboardPages {
  constructor(@inject(PageRenderer) private readonly renderer: PageRenderer) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/add', 'read', this.choose.bind(this)]];
  }

  private choose(req: DashboardRequest, res: DashboardResponse): void {
    this.renderer.render(req, res, { title: 'Add a name', section: 'add' }, <AddPage />);
  }
}
