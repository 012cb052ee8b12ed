import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inject, injectable } from 'inversify';
import { DomainQueries, type SortedList } from '../../../application/ports/registration/domain-queries';
import type { DomainState } from '../../../domain/registration/domain';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRoute, DashboardRequest, DashboardResponse } from '../visitor';
import { CSV_HEADING, csvLine } from './domain-csv';
import { readListQuery, toSortedList } from './domain-list-query';
import { DomainsPage } from './domains-page';

const PAGE_SIZE = 50;
const CSV_PAGE_SIZE = 500;

@injectable()
export class DomainsPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(DomainQueries) private readonly survey: DomainQueries,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/domains', 'member', this.list.bind(this)],
      ['get', '/domains.csv', 'member', this.export.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readListQuery(req);
    const found = await this.survey.page(res.locals.visitor.accountId, toSortedList(query), PAGE_SIZE + 1, query.after);
    const domains = found.slice(0, PAGE_SIZE);
    const next = found.length > PAGE_SIZE ? domains.at(-1) : undefined;
    this.pages.send(
      req,
      res,
      { title: 'Domains', section: 'domains', warning: query.warning },
      <DomainsPage query={query} domains={domains} next={next} />,
    );
  }

  /** Of any length in the memory of one page; between two pages everybody else has a turn, as SQLite reads them in this very thread. */
  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readListQuery(req);
    if (query.warning !== undefined) throw new ValidationError([{ path: '', message: query.warning }]);
    const list = toSortedList(query);
    res.type('text/csv');
    res.setHeader('Content-Disposition', 'attachment; filename="domains.csv"');
    await pipeline(Readable.from(this.csvOf(res.locals.visitor.accountId, list)), res);
  }

  private async *csvOf(accountId: string, list: SortedList): AsyncGenerator<string> {
    let page = await this.survey.page(accountId, list, CSV_PAGE_SIZE);
    yield CSV_HEADING;
    for (;;) {
      const last: DomainState | undefined = page.at(-1);
      if (last) yield page.map(csvLine).join('');
      if (!last || page.length < CSV_PAGE_SIZE) return;
      await yieldToEventLoop();
      page = await this.survey.page(accountId, list, CSV_PAGE_SIZE, last);
    }
  }
}
