import { inject, injectable } from 'inversify';
import { AuditReader } from '../../../application/ports/access/audit-log';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import { LifecycleClock, type Clock } from '../../../application/ports/system/clock';
import { addDays, DAY_MS } from '../../../domain/shared/calendar';
import { listMentionedDomains } from '../activity/activity-pages';
import { ActorDirectory } from '../activity/actor-names';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ExistingDomains } from '../domains/domain-link';
import { PageRenderer } from '../page-renderer';
import { AttentionFinder } from './attention-items';
import { OverviewPage } from './overview-page';

const LATEST_ENTRIES = 8;
/** Thirteen weeks cover the next 90 days. */
const HORIZON_DAYS = 91;
const WEEK_DAYS = 7;

@injectable()
export class OverviewPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(DomainQueries) private readonly domains: DomainQueries,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(AttentionFinder) private readonly attention: AttentionFinder,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/', 'read', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId, account, user } = res.locals.userSession;
    const now = this.lifecycleClock.now();
    const midnight = new Date(now.getTime() - (now.getTime() % DAY_MS));
    const [counts, expiring, latest, names, attention] = await Promise.all([
      this.domains.countByStatus(accountId),
      this.domains.expiring(accountId, midnight, addDays(midnight, HORIZON_DAYS), WEEK_DAYS),
      this.audit.page(accountId, {}, LATEST_ENTRIES),
      this.actors.of(accountId),
      this.attention.find(getRequester(res), user.role === 'owner'),
    ]);
    const { differences, ending, failedRenewals, leaving, refused, uncertain } = attention;
    const existing = await this.domains.held(accountId, listMentionedDomains([...latest, ...refused]));
    const linked = new Set([
      ...existing,
      ...[...ending, ...leaving.map(({ domain }) => domain)].map(({ id }) => id),
      ...differences.flatMap(({ domainId }) => domainId ?? []),
      ...[...uncertain, ...failedRenewals]
        .filter(({ domainGone }) => !domainGone)
        .map(({ operation }) => operation.domainId),
    ]);
    const props = { account, counts, midnight, expiring, latest, names, attention };
    this.renderer.render(
      req,
      res,
      { title: 'Overview', section: 'overview' },
      <ExistingDomains.Provider value={linked}>
        <OverviewPage {...props} />
      </ExistingDomains.Provider>,
    );
  }
}
