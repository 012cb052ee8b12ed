import { inject, injectable } from '../../../application/ports/inject';
import { attempt } from '../form-issues';
import { readParameter } from '../form-fields';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  WIDE,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { OfferSearch } from './offer-search';
import { SearchPage } from './search-page';

/** The search for a name across TLDs, with prices. */
@injectable()
export class SearchPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(OfferSearch) private readonly offers: OfferSearch,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/register', 'read', this.search.bind(this), { cost: WIDE }]];
  }

  private async search(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readParameter(req, 'q').trim();
    const head = { title: 'Find a domain', section: 'add' } as const;
    if (query === '') return this.renderer.render(req, res, head, <SearchPage query="" />);
    const found = await attempt(async () => this.offers.search(getRequester(res), query));
    if ('issues' in found)
      return this.renderer.render(
        req,
        res,
        { ...head, issues: found.issues },
        <SearchPage query={query} issues={found.issues} />,
      );
    await this.renderer.renderList(
      req,
      res,
      head,
      (rows) => <SearchPage query={query}>{rows}</SearchPage>,
      found.result,
    );
  }
}
