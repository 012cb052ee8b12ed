import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { DomainQueries, type SortedList } from '../../../application/ports/registration/domain-queries';
import { ValidationError } from '../../../domain/shared/validation-error';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { CSV_HEADING, toCsvLine } from './domain-csv';
import { buildListUrl, readListQuery, toSortedList } from './domain-list-query';
import { DomainsPage } from './domains-page';

const PAGE_SIZE = 50;
const CSV_PAGE_SIZE = 500;

@injectable()
export class DomainsPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(DomainQueries) private readonly domainQueries: DomainQueries,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains', 'read', this.list.bind(this)],
      ['get', '/domains.csv', 'read', this.export.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readListQuery(req);
    const { accountId } = res.locals.userSession;
    const { items, next } = await this.domainQueries.page(accountId, toSortedList(query), PAGE_SIZE, query.after);
    const page = {
      items,
      next: next && buildListUrl(query, { after: next }),
      first: query.after && buildListUrl(query),
    };
    this.renderer.render(
      req,
      res,
      { title: 'Domains', section: 'domains', warning: query.warning },
      <DomainsPage query={query} page={page} />,
    );
  }

  /** Streams page by page to bound memory, and yields in between because SQLite reads in this thread. */
  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readListQuery(req);
    if (query.warning !== undefined) throw new ValidationError([{ path: '', message: query.warning }]);
    const list = toSortedList(query);
    res.type('text/csv');
    res.setHeader('Content-Disposition', 'attachment; filename="domains.csv"');
    await pipeline(Readable.from(this.streamCsv(res.locals.userSession.accountId, list)), res);
  }

  private async *streamCsv(accountId: string, list: SortedList): AsyncGenerator<string> {
    let page = await this.domainQueries.page(accountId, list, CSV_PAGE_SIZE);
    yield CSV_HEADING;
    for (;;) {
      if (page.items.length > 0) yield page.items.map(toCsvLine).join('');
      if (!page.next) return;
      await yieldToEventLoop();
      page = await this.domainQueries.page(accountId, list, CSV_PAGE_SIZE, page.next);
    }
  }
}
