import { inject, injectable } from 'inversify';
import { AuditReader } from '../../../application/ports/access/audit-log';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import type { AuditEntry } from '../../../domain/access/audit-entry';
import { typedName } from '../../../domain/dns/records/record-name';
import { buildUrl } from '../build-url';
import { ExistingDomains } from '../domains/domain-link';
import { readParameter } from '../form-fields';
import { formatCursor, loadListPage, parseCursor } from '../list-page';
import { describeUnusedParameters } from '../unused-parameters';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { ActivityPage } from './activity-page';
import { ActorDirectory } from './actor-names';

const PAGE_SIZE = 50;

@injectable()
export class ActivityPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(DomainQueries) private readonly domainQueries: DomainQueries,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/activity', 'read', this.list.bind(this)]];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.userSession;
    const names = await this.actors.of(accountId);
    const [domain, actor] = [readParameter(req, 'domain').trim().toLowerCase(), readParameter(req, 'actor')];
    const filter = {
      domainName: domain === '' ? undefined : toStoredName(domain),
      actor: actor === '' ? undefined : actor,
    };
    const cursor = parseCursor(readParameter(req, 'before'));
    const page = await loadListPage({
      size: PAGE_SIZE,
      cursor,
      load: (limit, before) => this.audit.page(accountId, filter, limit, before),
      url: (last?: AuditEntry) =>
        buildUrl('/activity', { domain, actor, before: last && formatCursor({ createdAt: last.at, id: last.id }) }),
    });
    const warning = describeUnusedParameters(req, { domain: true, actor: true, before: cursor !== undefined });
    const existing = await this.domainQueries.held(accountId, listMentionedDomains(page.items));
    this.renderer.render(
      req,
      res,
      { title: 'Activity', section: 'activity', warning },
      <ExistingDomains.Provider value={existing}>
        <ActivityPage domain={domain} actor={actor} page={page} names={names} />
      </ExistingDomains.Provider>,
    );
  }
}

/** The ids of the domains that entries mention, without duplicates. */
export function listMentionedDomains(entries: readonly AuditEntry[]): string[] {
  return [...new Set(entries.flatMap(({ domain }) => (domain ? [domain.id] : [])))];
}

/** Converts Unicode input to the A-labels in which names are stored. */
function toStoredName(text: string): string {
  return typedName(text)?.name ?? text;
}
