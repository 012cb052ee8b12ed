import { inject, injectable } from '../../../application/ports/inject';
import { RequestPasswordReset } from '../../../application/access/sign-in/request-password-reset';
import { NoticeSettings } from '../../../application/notices/notice-settings';
import { RouteNotFound } from '../../shared/errors';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { attempt } from '../form-issues';
import { readField } from '../form-fields';
import { PageRenderer } from '../page-renderer';
import { ForgotPasswordPage, LinkMailedPage } from './forgot-password-page';

const TITLE = 'Forgot your password?';

/** Asks for the mail with a link that sets a new password. The pages exist only if mails are sent. */
@injectable()
export class ForgotPasswordPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(RequestPasswordReset) private readonly requestReset: RequestPasswordReset,
    @inject(NoticeSettings) private readonly notices: Pick<NoticeSettings, 'delivery'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/forgot-password', 'public', this.show.bind(this)],
      ['post', '/forgot-password', 'public', this.send.bind(this)],
    ];
  }

  private show(req: DashboardRequest, res: DashboardResponse): void {
    this.assertMails();
    this.renderer.render(req, res, { title: TITLE }, <ForgotPasswordPage email="" />);
  }

  private async send(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    this.assertMails();
    const email = readField(req, 'email');
    const outcome = await attempt(() => this.requestReset.execute({ email, clientAddress: req.ip ?? '' }));
    if ('issues' in outcome) {
      const page = <ForgotPasswordPage email={email} issues={outcome.issues} />;
      return this.renderer.render(req, res, { title: TITLE, issues: outcome.issues }, page);
    }
    this.renderer.render(req, res, { title: 'Check your mail' }, <LinkMailedPage />);
  }

  /** @throws RouteNotFound */
  private assertMails(): void {
    if (this.notices.delivery === 'off') throw new RouteNotFound();
  }
}
