import { inject, injectable } from 'inversify';
import { ApiKeyReader } from '../../../application/ports/access/access-repositories';
import { AuditReader } from '../../../application/ports/access/audit-log';
import { MAX_ACTIVE_KEYS } from '../../../domain/access/api-key';
import { Clock, LifecycleClock } from '../../../application/ports/system/clock';
import { DomainQueries } from '../../../application/ports/registration/domain-queries';
import { DeadLetterReader } from '../../../application/ports/registry/dead-letters';
import { OperationQueries } from '../../../application/ports/registration/operation-queries';
import { addDays, DAY_MS } from '../../../domain/shared/calendar';
import { mentionedDomains } from '../activity/activity-pages';
import { ActorDirectory } from '../activity/actor-names';
import { HeldDomains } from '../domains/domain-link';
import { Pages } from '../pages';
import { lowBalances } from './low-balances';
import type { DashboardPages, DashboardRoute, DashboardRequest, DashboardResponse } from '../visitor';
import { OverviewPage } from './overview-page';

const LATEST = 8;
const SOON_DAYS = 30;
const REFUSALS_DAYS = 14;
const MENTIONED = 5;
/** The latest that registries sent for a person, among which a low balance is looked for. */
const MESSAGES = 20;
/** An operation that has been uncertain for longer needs somebody who asks the registry. */
const DOUBTFUL_MS = 10 * 60_000;
/** Thirteen weeks: the next 90 days. */
const HORIZON_DAYS = 91;
const SPAN_DAYS = 7;

@injectable()
export class OverviewPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(DomainQueries) private readonly survey: DomainQueries,
    @inject(OperationQueries) private readonly operations: OperationQueries,
    @inject(AuditReader) private readonly audit: AuditReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(DeadLetterReader) private readonly messages: DeadLetterReader,
    @inject(ActorDirectory) private readonly actors: ActorDirectory,
    @inject(Clock) private readonly clock: Clock,
    @inject(LifecycleClock) private readonly lifecycleClock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['get', '/', 'member', this.show.bind(this)]];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId, account, user } = res.locals.visitor;
    const [realNow, now] = [this.clock.now(), this.lifecycleClock.now()];
    const midnight = new Date(now.getTime() - (now.getTime() % DAY_MS));
    const [counts, expiring, ending, uncertain, failedRenewals, latest, refused, keys, names, messages] =
      await Promise.all([
        this.survey.countByStatus(accountId),
        this.survey.expiring(accountId, midnight, addDays(midnight, HORIZON_DAYS), SPAN_DAYS),
        this.survey.ending(accountId, addDays(now, SOON_DAYS), MENTIONED + 1),
        this.operations.uncertain(accountId, new Date(realNow.getTime() - DOUBTFUL_MS), MENTIONED),
        this.operations.failed(accountId, 'renew', addDays(realNow, -REFUSALS_DAYS), MENTIONED),
        this.audit.page(accountId, {}, LATEST),
        this.audit.page(accountId, { action: 'domain.refused', since: addDays(realNow, -REFUSALS_DAYS) }, MENTIONED),
        this.keys.page(accountId, { activeAt: realNow }, MAX_ACTIVE_KEYS),
        this.actors.of(accountId),
        user.role === 'owner' ? this.messages.latest(MESSAGES) : [],
      ]);
    const held = await this.survey.held(accountId, mentionedDomains([...latest, ...refused]));
    const mentioned = new Set([
      ...held,
      ...ending.map(({ id }) => id),
      ...[...uncertain, ...failedRenewals]
        .filter(({ domainGone }) => !domainGone)
        .map(({ operation }) => operation.domainId),
    ]);
    const facts = {
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
      balances: lowBalances(messages, addDays(realNow, -REFUSALS_DAYS)),
    };
    this.pages.send(
      req,
      res,
      { title: 'Overview', section: 'overview' },
      <HeldDomains.Provider value={mentioned}>
        <OverviewPage {...facts} />
      </HeldDomains.Provider>,
    );
  }
}
