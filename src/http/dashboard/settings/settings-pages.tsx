import { inject, injectable } from '../../../application/ports/inject';
import { ChangePassword } from '../../../application/access/sign-in/change-password';
import { EndSessions } from '../../../application/access/sign-in/end-sessions';
import { KnownBrowsers } from '../../../application/access/sign-in/known-browsers';
import { Clock } from '../../../application/ports/system';
import { SessionReader } from '../../../application/ports/access/users';
import { isAlive } from '../../../domain/access/people/session';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormIssues } from '../form-issues';
import { readField } from '../form-fields';
import { rememberBrowser } from '../middleware/known-browser';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import type { DashboardPages, DashboardRequest, DashboardResponse, DashboardRoute } from '../dashboard-route';
import { SettingsPage } from './settings-page';
import { redirect } from '../redirect';

/** The user's password and sessions, and the limits of the service. */
@injectable()
export class SettingsPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(SessionReader) private readonly sessions: SessionReader,
    @inject(ChangePassword) private readonly changePassword: ChangePassword,
    @inject(EndSessions) private readonly endSessions: EndSessions,
    @inject(KnownBrowsers) private readonly browsers: KnownBrowsers,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/settings', 'signed-in', this.show.bind(this)],
      ['post', '/settings/password', 'signed-in', this.savePassword.bind(this)],
      ['post', '/settings/sessions/end-all', 'signed-in', this.endAll.bind(this)],
      ['post', '/settings/sessions/:sessionId/end', 'signed-in', this.endOne.bind(this)],
    ];
  }

  private async savePassword(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { user, sessionDigest } = res.locals.userSession;
    const command = {
      userId: user.id,
      currentPassword: readField(req, 'current_password'),
      newPassword: readField(req, 'new_password'),
      keepSession: sessionDigest,
    };
    const outcome = await attempt(() => this.changePassword.execute(command));
    if ('issues' in outcome) return this.show(req, res, outcome.issues);
    rememberBrowser(req, res, user.id, this.browsers.markOf(outcome.result));
    this.redirectWithFlash(req, res, 'Your password was changed and your other sessions have ended.');
  }

  private async endOne(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.endSessions.endOne({ userId: res.locals.userSession.user.id, sessionId: req.params['sessionId'] ?? '' });
    this.redirectWithFlash(req, res, 'The session was ended.');
  }

  /** Ends the current session, too. */
  private async endAll(_req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.endSessions.endAll({ userId: res.locals.userSession.user.id });
    redirect(res, '/sign-in');
  }

  private async show(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const { user, sessionDigest } = res.locals.userSession;
    const now = this.clock.now();
    const sessions = (await this.sessions.ofUser(user.id)).filter((session) => isAlive(session, now));
    const page = <SettingsPage sessions={sessions} current={sessionDigest} settings={this.settings} issues={issues} />;
    this.renderer.render(req, res, { title: 'Settings', section: 'settings', issues }, page);
  }

  private redirectWithFlash(req: DashboardRequest, res: DashboardResponse, text: string): void {
    setFlash(req, { kind: 'success', text });
    redirect(res, '/settings');
  }
}
