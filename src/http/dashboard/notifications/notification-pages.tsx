import { inject, injectable } from '../../../application/ports/inject';
import { ReadNotifications } from '../../../application/events/read-notifications';
import { VisibleDomains } from '../../../application/registration/visible-domains';
import { buildUrl } from '../build-url';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { ExistingDomains } from '../domains/domain-link';
import { readParameter } from '../form-fields';
import { AttentionFinder } from '../overview/attention-items';
import { linkedDomains } from '../overview/linked-domains';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { notificationsReader } from '../sign-in/count-notifications';
import { NotificationsPage } from './notifications-page';

const POSITION = /^\d{1,15}$/;

/** What is new for a person. The bell is a form: looking is what resets its number. */
@injectable()
export class NotificationPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(ReadNotifications) private readonly notifications: ReadNotifications,
    @inject(AttentionFinder) private readonly attention: AttentionFinder,
    @inject(VisibleDomains) private readonly domains: VisibleDomains,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/notifications', 'read', this.show.bind(this)],
      ['post', '/notifications', 'read', this.look.bind(this)],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const requester = getRequester(res);
    const { userSession } = res.locals;
    const reader = notificationsReader(userSession);
    const typed = readParameter(req, 'since');
    const [notifications, attention, counts] = await Promise.all([
      this.notifications.list(reader, POSITION.test(typed) ? Number(typed) : reader.seenPosition),
      this.attention.find(requester, userSession.user.role === 'owner'),
      this.domains.countByStatus(requester),
    ]);
    const mentioned = notifications.flatMap(({ domain }) => domain?.id ?? []);
    const existing = await linkedDomains(this.domains, requester, attention, mentioned);
    this.renderer.render(
      req,
      res,
      { title: 'Notifications', section: 'notifications' },
      <ExistingDomains.Provider value={existing}>
        <NotificationsPage notifications={notifications} attention={attention} counts={counts} />
      </ExistingDomains.Provider>,
    );
  }

  private async look(_req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const since = await this.notifications.markSeen(notificationsReader(res.locals.userSession));
    redirect(res, buildUrl('/notifications', { since: String(since) }));
  }
}
