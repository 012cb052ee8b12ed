import { inject, injectable } from 'inversify';
import { ChangePassword } from '../../../application/access/sign-in/change-password';
import { EndSessions } from '../../../application/access/sign-in/end-sessions';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import { Clock } from '../../../application/ports/system/clock';
import { SessionReader } from '../../../application/ports/access/session-repository';
import { isAlive } from '../../../domain/access/session';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormIssues } from '../form-issues';
import { field } from '../form-fields';
import { rememberBrowser } from '../middleware/known-browser';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../visitor';
import { SettingsPage } from './settings-page';
import { seeOther } from '../see-other';

/** One's own password and sessions, and the limits in force. */
@injectable()
export class SettingsPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(SessionReader) private readonly sessions: SessionReader,
    @inject(ChangePassword) private readonly changePassword: ChangePassword,
    @inject(EndSessions) private readonly endSessions: EndSessions,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/settings', 'member', this.show.bind(this)],
      ['post', '/settings/password', 'member', this.password.bind(this)],
      ['post', '/settings/sessions/end-all', 'member', this.endAll.bind(this)],
      ['post', '/settings/sessions/:sessionId/end', 'member', this.endOne.bind(this)],
    ];
  }

  private async password(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest } = res.locals.visitor;
    const command = {
      userId: user.id,
      currentPassword: field(req, 'current_password'),
      newPassword: field(req, 'new_password'),
      keepSession: sessionDigest,
    };
    const outcome = await attempt(() => this.changePassword.execute(command));
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    rememberBrowser(req, res, user.id, this.browsers.markOf(outcome.result));
    this.back(req, res, 'Your password is changed, and you are signed out everywhere else.');
  }

  private async endOne(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.endSessions.one({ userId: res.locals.visitor.user.id, sessionId: req.params['sessionId'] ?? '' });
    this.back(req, res, 'That session has ended.');
  }

  /** This one, too. */
  private async endAll(_req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.endSessions.all({ userId: res.locals.visitor.user.id });
    seeOther(res, '/sign-in');
  }

  private async show(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const { user, sessionDigest } = res.locals.visitor;
    const now = this.clock.now();
    const sessions = (await this.sessions.ofUser(user.id)).filter((session) => isAlive(session, now));
    const page = <SettingsPage sessions={sessions} current={sessionDigest} settings={this.settings} issues={issues} />;
    this.pages.send(req, res, { title: 'Settings', section: 'settings', issues }, page);
  }

  private back(req: DashboardRequest, res: DashboardResponse, text: string): void {
    setFlash(req, { kind: 'done', text });
    seeOther(res, '/settings');
  }
}
