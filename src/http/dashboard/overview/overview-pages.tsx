import { inject, injectable } from '../../../application/ports/inject';
import { AuditReader } from '../../../application/ports/access/audit-and-events';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { ReadExpiries } from '../../../application/registration/costs/read-expiries';
import { Clock } from '../../../application/ports/system';
import type { Account } from '../../../domain/access/account';
import type { DomainStatus } from '../../../domain/registration/domain-status';
import { addDays } from '../../../domain/shared/time/calendar';
import { listMentionedDomains } from '../activity/activity-pages';
import { ActorDirectory, type ActorNames } from '../activity/actor-names';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ExistingDomains } from '../domains/domain-link';
import { PageRenderer } from '../page-renderer';
import { AttentionFinder, type AttentionItems } from './attention-items';
import type { FirstStepsProps } from './first-steps';
import { linkedDomains } from './linked-domains';
import { OverviewPage } from './overview-page';

/** Repeated changes are folded, so more are read than are shown. */
const LATEST_ENTRIES = 40;
/** The checklist of first steps is shown for so long, or until the account has a domain. */
const NEW_DAYS = 14;

@injectable()
export class OverviewPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(AttentionFinder) private readonly attention: AttentionFinder,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(ReadExpiries) private readonly expiries: ReadExpiries,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/', 'read', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId, account, user } = res.locals.userSession;
    const requester = getRequester(res);
    const [counts, months, latest, names, attention] = await Promise.all([
      this.domains.countByStatus(requester),
      this.expiries.execute(requester),
      this.audit.page(accountId, { tags: user.tags ?? undefined }, LATEST_ENTRIES),
      this.actors.of(requester),
      this.attention.find(requester, user.role === 'owner'),
    ]);
    const linked = await linkedDomains(this.domains, requester, attention, listMentionedDomains(latest));
    const firstSteps = user.tags ? undefined : await this.firstSteps(account, counts, attention, names);
    const props = { account, counts, months, latest, names, attention, firstSteps };
    this.renderer.render(
      req,
      res,
      { title: 'Overview', section: 'overview' },
      <ExistingDomains.Provider value={linked}>
        <OverviewPage {...props} />
      </ExistingDomains.Provider>,
    );
  }

  /** Undefined for an account that is not new and has domains. */
  private async firstSteps(
    { id, createdAt }: Account,
    counts: ReadonlyMap<DomainStatus, number>,
    { keys }: AttentionItems,
    names: ActorNames,
  ): Promise<FirstStepsProps | undefined> {
    const isNew = addDays(createdAt, NEW_DAYS) > this.clock.now();
    if (counts.size > 0 && !isNew) return undefined;
    const [record] = await this.audit.page(id, { action: 'records.added' }, 1);
    const users = [...names.keys()].filter((actor) => actor.startsWith('user:')).length;
    return { domains: counts.size > 0, records: record !== undefined, keys: keys.length > 0, team: users > 1 };
  }
}
