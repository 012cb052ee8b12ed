import { ComposeMail } from '../../../application/notices/compose-mail';
import { inject, injectable } from '../../../application/ports/inject';
import { MailReader } from '../../../application/ports/notices/mails-and-notices';
import type { Mail } from '../../../domain/access/notices/mail';
import { RouteNotFound } from '../../shared/errors';
import { readParameter } from '../form-fields';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { OutboxMailPage, OutboxPage } from './outbox-page';

const MAILS_ON_A_PAGE = 25;
/** A mail has its styles in it, and loads nothing. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** The mails of the account, as they are sent or would be. Bound only if the registry is simulated. */
@injectable()
export class OutboxPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(MailReader) private readonly mails: MailReader,
    @inject(ComposeMail) private readonly compose: ComposeMail,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/sandbox/outbox', 'owner', this.list.bind(this)],
      ['get', '/sandbox/outbox/:mailId', 'owner', this.show.bind(this)],
      ['get', '/sandbox/outbox/:mailId/html', 'owner', this.showHtml.bind(this)],
    ];
  }

  private async list(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { accountId } = res.locals.userSession;
    const before = readParameter(req, 'before') || undefined;
    const found = await this.mails.ofAccount(accountId, MAILS_ON_A_PAGE + 1, before);
    const mails = found.slice(0, MAILS_ON_A_PAGE);
    const written = await Promise.all(
      mails.map(async (mail) => ({ mail, subject: (await this.compose.execute(mail)).subject })),
    );
    const more = found.length > mails.length ? mails.at(-1)?.id : undefined;
    this.renderer.render(
      req,
      res,
      { title: 'Outbox', section: 'sandbox' },
      <OutboxPage mails={written} more={more} isFirst={before === undefined} />,
    );
  }

  private async show(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const mail = await this.find(req, res);
    const written = await this.compose.execute(mail);
    this.renderer.render(
      req,
      res,
      { title: written.subject, section: 'sandbox' },
      <OutboxMailPage mail={mail} written={written} />,
    );
  }

  private async showHtml(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { html } = await this.compose.execute(await this.find(req, res));
    res.setHeader('Content-Security-Policy', MAIL_POLICY);
    res.type('html').send(html);
  }

  private async find(req: DashboardRequest, res: DashboardResponse): Promise<Mail> {
    const mail = await this.mails.find(req.params['mailId'] ?? '');
    if (mail?.accountId !== res.locals.userSession.accountId) throw new RouteNotFound();
    return mail;
  }
}
