import { ChangeMailSettings } from '../../../application/notices/change-mail-settings';
import { NoticeSettings } from '../../../application/notices/notice-settings';
import { UnsubscribeLinks } from '../../../application/notices/unsubscribe-links';
import { inject, injectable } from '../../../application/ports/inject';
import { MailReader, MailSettingsReader } from '../../../application/ports/notices/mails-and-notices';
import { KINDS_FOR_PEOPLE, MAIL_RULES } from '../../../domain/access/notices/notice';
import { buildUrl } from '../build-url';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { setFlash } from '../flash';
import { readField, readFields, readParameter } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { redirect } from '../redirect';
import { NoticesPage } from './notices-page';
import { UnknownLinkPage, UnsubscribedPage, UnsubscribePage } from './unsubscribe-page';

const HEAD = { title: 'Mails' };
const UNKNOWN = { ...HEAD, issues: { status: 404 } };

/** What a person gets by mail, and the links in mails that end them. */
@injectable()
export class NoticePages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(MailSettingsReader) private readonly settings: MailSettingsReader,
    @inject(MailReader) private readonly mails: MailReader,
    @inject(ChangeMailSettings) private readonly change: ChangeMailSettings,
    @inject(UnsubscribeLinks) private readonly links: UnsubscribeLinks,
    @inject(NoticeSettings) private readonly service: Pick<NoticeSettings, 'delivery'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/settings/notices', 'signed-in', async (req, res) => this.show(req, res)],
      ['post', '/settings/notices', 'signed-in', this.save.bind(this)],
      ['get', '/unsubscribe', 'public', this.ask.bind(this)],
      ['post', '/unsubscribe', 'public', this.unsubscribe.bind(this), { isSigned: true }],
    ];
  }

  private async show(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const { id, personId } = res.locals.userSession.user;
    const [settings, [undelivered]] = await Promise.all([this.settings.of(personId), this.mails.undelivered([id])]);
    const page = (
      <NoticesPage settings={settings} delivery={this.service.delivery} undelivered={undelivered} issues={issues} />
    );
    this.renderer.render(req, res, { title: 'Notices', section: 'settings', issues }, page);
  }

  private async save(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { personId } = res.locals.userSession.user;
    const wanted = readFields(req, 'notices');
    const switchedOff = KINDS_FOR_PEOPLE.filter((kind) => MAIL_RULES[kind].isOptional && !wanted.includes(kind));
    const outcome = await attempt(
      () => this.change.execute({ personId, timeZone: readField(req, 'time_zone'), switchedOff }),
      { fields: ['time_zone'] },
    );
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    setFlash(req, { kind: 'success', text: 'Your notices were saved.' });
    redirect(res, '/settings/notices');
  }

  private ask(req: DashboardRequest, res: DashboardResponse): void {
    const token = readParameter(req, 'token');
    const link = this.links.read(token);
    const page = link ? (
      <UnsubscribePage kind={link.kind} action={buildUrl('/unsubscribe', { token })} />
    ) : (
      <UnknownLinkPage />
    );
    this.renderer.render(req, res, link ? HEAD : UNKNOWN, page);
  }

  /** Also what mail programs send for one click (RFC 8058): without cookies and without asking. */
  private async unsubscribe(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const link = this.links.read(readParameter(req, 'token'));
    if (link) await this.change.unsubscribe(link.personId, link.kind);
    this.renderer.render(
      req,
      res,
      link ? HEAD : UNKNOWN,
      link ? <UnsubscribedPage kind={link.kind} /> : <UnknownLinkPage />,
    );
  }
}
