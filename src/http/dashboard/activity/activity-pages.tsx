import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inject, injectable } from '../../../application/ports/inject';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import type { ListPosition } from '../../../application/ports/storage/page';
import { RetentionSettings } from '../../../application/retention/clean-up';
import { waitForNextSlice } from '../../../application/shared/run-cooperatively';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { findRecordType } from '../../../domain/dns/records/types/record-types';
import { ValidationError } from '../../../domain/shared/validation-error';
import { parseDay } from '../../../domain/shared/time/calendar';
import { buildUrl } from '../build-url';
import { ExistingDomains } from '../domains/domain-link';
import { readParameter } from '../form-fields';
import { formatCursor, parseCursor } from '../list-page';
import { describeUnusedParameters } from '../unused-parameters';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ACTIVITY_CSV_HEADING, toActivityCsvLine } from './activity-csv';
import { actionsOf } from './action-filter';
import { ActivityPage } from './activity-page';
import { ActivitySearch, readActivityQuery, type ActivityQuery, type ActivityScope } from './activity-search';
import { ActorDirectory, type ActorNames } from './actor-names';

const PAGE_SIZE = 50;
const CSV_PAGE_SIZE = 200;

@injectable()
export class ActivityPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ActivitySearch) private readonly activity: ActivitySearch,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(RetentionSettings) private readonly retention: RetentionSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/activity', 'read', this.list.bind(this)],
      ['get', '/activity.csv', 'read', this.export.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const { accountId } = requester;
    const names = await this.actors.of(requester);
    const query = readActivityQuery(req);
    const scope = await this.activity.resolveScope(requester, query, getTimeZone(res));
    const cursor = parseCursor(readParameter(req, 'before'));
    const { entries, searchedTo } = await this.activity.page(accountId, scope, PAGE_SIZE, cursor);
    const url = (before?: string) => buildUrl('/activity', { ...query, before });
    const page = {
      items: entries,
      next: searchedTo && url(formatCursor(searchedTo)),
      first: cursor && url(),
    };
    const existing = await this.domains.held(requester, listMentionedDomains(page.items));
    this.renderer.render(
      req,
      res,
      { title: 'Activity', section: 'activity', warning: describeProblem(req, query, cursor) },
      <ExistingDomains.Provider value={existing}>
        <ActivityPage
          query={query}
          isPartial={scope.isPartial}
          page={page}
          searchedTo={entries.length < PAGE_SIZE ? searchedTo?.createdAt : undefined}
          names={names}
          retentionDays={this.retention.auditDays}
        />
      </ExistingDomains.Provider>,
    );
  }

  /** Streams page by page to bound memory, and yields in between because SQLite reads in this thread. */
  private async export(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const query = readActivityQuery(req);
    const problem = describeProblem(req, query, undefined);
    if (problem !== undefined) throw new ValidationError([{ path: '', message: problem }]);
    const requester = getRequester(res);
    const { accountId } = requester;
    const [names, scope] = await Promise.all([
      this.actors.of(requester),
      this.activity.resolveScope(requester, query, getTimeZone(res)),
    ]);
    res.type('text/csv');
    res.setHeader('Content-Disposition', 'attachment; filename="activity.csv"');
    await pipeline(Readable.from(this.streamCsv(accountId, scope, names)), res);
  }

  private async *streamCsv(accountId: string, scope: ActivityScope, names: ActorNames): AsyncGenerator<string> {
    yield ACTIVITY_CSV_HEADING;
    for (let after: ListPosition | undefined; ;) {
      const { entries, searchedTo } = await this.activity.page(accountId, scope, CSV_PAGE_SIZE, after);
      if (entries.length > 0) yield entries.map((entry) => toActivityCsvLine(entry, names)).join('');
      if (!searchedTo) return;
      after = searchedTo;
      await waitForNextSlice(accountId);
    }
  }
}

function getTimeZone(res: DashboardResponse): string {
  return res.locals.userSession.timeZone;
}

/** About parameters that the list ignores. */
function describeProblem(
  req: DashboardRequest,
  { action, type, from, to }: ActivityQuery,
  cursor: ListPosition | undefined,
): string | undefined {
  return describeUnusedParameters(req, {
    domain: true,
    actor: true,
    action: actionsOf(action) !== undefined,
    type: findRecordType(type) !== undefined,
    from: parseDay(from) !== undefined,
    to: parseDay(to) !== undefined,
    before: cursor !== undefined,
  });
}

/** The ids of the domains that entries mention, without duplicates. */
export function listMentionedDomains(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ domain }) => (domain ? [domain.id] : [])))];
}
