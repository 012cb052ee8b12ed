import { inject, injectable } from 'inversify';
import { ApiKeyReader } from '../../../application/ports/access/access-repositories';
import { AuditReader } from '../../../application/ports/access/audit-log';
import { MAX_ACTIVE_KEYS } from '../../../domain/access/api-key';
import { Clock, LifecycleClock } from '../../../application/ports/system/clock';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import { DeadLetterReader } from '../../../application/ports/registry/dead-letters';
import {
  ReconciliationReader,
  type FoundDifference,
} from '../../../application/ports/registration/reconciliation-repository';
import { ImportableRegistries } from '../../../application/registrar/importable-registries';
import type { Requester } from '../../../domain/access/actor';
import { OperationQueries } from '../../../application/ports/registration/operation-queries';
import { addDays, DAY_MS } from '../../../domain/shared/calendar';
import { listMentionedDomains } from '../activity/activity-pages';
import { ActorDirectory } from '../activity/actor-names';
import { ExistingDomains } from '../domains/domain-link';
import { PageRenderer } from '../page-renderer';
import { findLowBalances } from './low-balances';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { OverviewPage } from './overview-page';

const LATEST_ENTRIES = 8;
const SOON_DAYS = 30;
const RECENT_DAYS = 14;
const MAX_ITEMS = 5;
/** How many dead letters are searched for low-balance warnings. */
const MAX_MESSAGES = 20;
/** An operation that stays uncertain for longer is shown, because someone must contact the registry. */
const UNCERTAIN_ALERT_MS = 10 * 60_000;
/** Thirteen weeks cover the next 90 days. */
const HORIZON_DAYS = 91;
const WEEK_DAYS = 7;

@injectable()
export class OverviewPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(DomainQueries) private readonly domainQueries: DomainQueries,
    @inject(OperationQueries) private readonly operations: OperationQueries,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(DeadLetterReader) private readonly messages: DeadLetterReader,
    @inject(ReconciliationReader) private readonly reconciliations: ReconciliationReader,
    @inject(ImportableRegistries) private readonly importable: ImportableRegistries,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/', 'member', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId, account, user } = res.locals.userSession;
    const [realNow, now] = [this.clock.now(), this.lifecycleClock.now()];
    const midnight = new Date(now.getTime() - (now.getTime() % DAY_MS));
    const isOwner = user.role === 'owner';
    const [counts, expiring, ending, uncertain, failedRenewals, latest, refused, keys, names, messages, differences] =
      await Promise.all([
        this.domainQueries.countByStatus(accountId),
        this.domainQueries.expiring(accountId, midnight, addDays(midnight, HORIZON_DAYS), WEEK_DAYS),
        this.domainQueries.ending(accountId, addDays(now, SOON_DAYS), MAX_ITEMS + 1),
        this.operations.uncertain(accountId, new Date(realNow.getTime() - UNCERTAIN_ALERT_MS), MAX_ITEMS),
        this.operations.failed(accountId, 'renew', addDays(realNow, -RECENT_DAYS), MAX_ITEMS),
        this.audit.page(accountId, {}, LATEST_ENTRIES),
        this.audit.page(accountId, { action: 'domain.refused', since: addDays(realNow, -RECENT_DAYS) }, MAX_ITEMS),
        this.keys.page(accountId, { activeAt: realNow }, MAX_ACTIVE_KEYS),
        this.actors.of(accountId),
        isOwner ? this.messages.latest(MAX_MESSAGES) : [],
        this.findDifferences(getRequester(res), isOwner),
      ]);
    const existing = await this.domainQueries.held(accountId, listMentionedDomains([...latest, ...refused]));
    const linked = new Set([
      ...existing,
      ...ending.map(({ id }) => id),
      ...differences.flatMap(({ domainId }) => domainId ?? []),
      ...[...uncertain, ...failedRenewals]
        .filter(({ domainGone }) => !domainGone)
        .map(({ operation }) => operation.domainId),
    ]);
    const props = {
      account,
      counts,
      midnight,
      expiring,
      ending,
      uncertain,
      failedRenewals,
      latest,
      refused,
      keys,
      names,
      differences,
      balances: findLowBalances(messages, addDays(realNow, -RECENT_DAYS)),
    };
    this.renderer.render(
      req,
      res,
      { title: 'Overview', section: 'overview' },
      <ExistingDomains.Provider value={linked}>
        <OverviewPage {...props} />
      </ExistingDomains.Provider>,
    );
  }

  /** Names that are missing here are shown to owners who may import them. */
  private async findDifferences(requester: Requester, isOwner: boolean): Promise<readonly FoundDifference[]> {
    const open = isOwner ? await this.importable.of(requester) : [];
    const registries = open.map(({ registry }) => registry);
    return this.reconciliations.differences(requester.accountId, registries, MAX_ITEMS + 1);
  }
}
