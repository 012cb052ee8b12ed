import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inject, injectable } from '../../../application/ports/inject';
import { DomainFilters } from '../../../application/portfolio/domain-filters';
import { SavedViews } from '../../../application/portfolio/saved-views';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { HealthReader } from '../../../application/ports/health/health-repository';
import type { SortedList } from '../../../application/ports/registration/domain-repository';
import { RenewalPriceCache } from '../../../application/registration/renewal-price-cache';
import { waitForNextSlice } from '../../../application/shared/run-cooperatively';
import type { Requester } from '../../../domain/access/actor';
import type { DomainState } from '../../../domain/registration/domain';
import { ValidationError } from '../../../domain/shared/validation-error';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { hasEveryDomain } from '../user-session';
import { CSV_HEADING, toCsvLine } from './domain-csv';
import { DEFAULT_COLUMNS, type Column } from './domain-columns';
import { buildListUrl, readListQuery, toSortedList, type DomainListQuery } from './domain-list-query';
import { DomainsPage } from './domains-page';

const PAGE_SIZE = 50;
const CSV_PAGE_SIZE = 500;
/** With a filter, as many matches are counted, and no more than the first page of them takes. */
const COUNTED = 500;
const NONE: ReadonlyMap<string, never> = new Map<string, never>();

@injectable()
export class DomainsPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(DomainFilters) private readonly filters: DomainFilters,
    @inject(SavedViews) private readonly views: SavedViews,
    @inject(HealthReader) private readonly health: HealthReader,
    @inject(RenewalPriceCache) private readonly prices: RenewalPriceCache,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains', 'read', this.list.bind(this)],
      ['get', '/domains.csv', 'read', this.export.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const query = await readListQuery(req, requester, this.filters);
    const [{ items, next }, choices, views] = await Promise.all([
      this.domains.page(requester, toSortedList(query), PAGE_SIZE, query.after),
      this.filters.choices(requester),
      hasEveryDomain(res.locals.userSession) ? this.views.list(requester.accountId) : [],
    ]);
    const page = {
      items,
      next: next && buildListUrl(query, { after: next, offset: query.offset + items.length }),
      first: query.after && buildListUrl(query),
    };
    const total = next ? await this.count(requester, query) : query.offset + items.length;
    const columns = query.columns ?? DEFAULT_COLUMNS;
    this.renderer.render(
      req,
      res,
      { title: 'Domains', section: 'domains', warning: query.warning },
      <DomainsPage
        query={query}
        page={page}
        total={total}
        choices={choices}
        columns={columns}
        cells={await this.cellsOf(requester.accountId, columns, items)}
        views={views}
      />,
    );
  }

  private async cellsOf(accountId: string, columns: readonly Column[], domains: readonly DomainState[]) {
    const [prices, health] = await Promise.all([
      columns.includes('price') ? this.prices.of(accountId, domains) : NONE,
      columns.includes('health') ? this.health.statesOf(domains.map(({ id }) => id)) : NONE,
    ]);
    return { prices, health };
  }

  private count(requester: Requester, query: DomainListQuery): Promise<number | undefined> {
    return this.domains.count(requester, query.filter, COUNTED);
  }

  /** Streams page by page to bound memory, and yields in between because SQLite reads in this thread. */
  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const ids = readIds(req);
    const query = await readListQuery(req, requester, this.filters);
    if (query.warning !== undefined && ids.length === 0)
      throw new ValidationError([{ path: '', message: query.warning }]);
    const names = ids.length > 0 ? [...(await this.domains.names(requester, ids)).values()] : undefined;
    res.type('text/csv');
    res.setHeader('Content-Disposition', 'attachment; filename="domains.csv"');
    await pipeline(Readable.from(this.streamCsv(requester, { ...toSortedList(query), names })), res);
  }

  private async *streamCsv(requester: Requester, list: SortedList): AsyncGenerator<string> {
    let page = await this.domains.page(requester, list, CSV_PAGE_SIZE);
    yield CSV_HEADING;
    for (;;) {
      if (page.items.length > 0) yield page.items.map(toCsvLine).join('');
      if (!page.next) return;
      await waitForNextSlice(requester.accountId);
      page = await this.domains.page(requester, list, CSV_PAGE_SIZE, page.next);
    }
  }
}

/** Of the domains to export in place of all that match, at most a page of the list. */
function readIds({ query }: Pick<DashboardRequest, 'query'>): readonly string[] {
  const given = query['id'];
  return (Array.isArray(given) ? given : [given]).filter((id) => typeof id === 'string').slice(0, CSV_PAGE_SIZE);
}
