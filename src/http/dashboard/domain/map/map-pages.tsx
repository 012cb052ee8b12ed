import { inject, injectable } from '../../../../application/ports/inject';
import { FindDomain } from '../../../../application/registration/find-domain';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../../dashboard-route';
import { displayName } from '../../layout/domain/domain-labels';
import { DomainLayout } from '../../layout/domain/domain-layout';
import { findDomainOf } from '../../layout/domain/domain-request';
import { PageRenderer } from '../../page-renderer';
import { MapCard } from './map-card';
import { ReadMap } from './read-map';
import { StatusSentence } from './status-sentence';

/** The map with what each secondary serves now. */
@injectable()
export class MapPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ReadMap) private readonly readMap: ReadMap,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/domains/:id/map', 'read', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const facts = await this.readMap.current(getRequester(res), domain);
    this.renderer.render(
      req,
      res,
      { title: `Delegation of ${displayName(domain.name)}`, section: 'domains' },
      <DomainLayout domain={domain} tab="details">
        <StatusSentence facts={facts} />
        <MapCard facts={facts} />
      </DomainLayout>,
    );
  }
}
