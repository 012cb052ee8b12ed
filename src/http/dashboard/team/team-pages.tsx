import { inject, injectable } from 'inversify';
import { InviteUser, type Invitation } from '../../../application/access/invite-user';
import { IssueSetupLink } from '../../../application/access/issue-setup-link';
import { RemoveUser } from '../../../application/access/remove-user';
import { UserReader } from '../../../application/ports/access/user-repository';
import { isRole, ROLES, type Role } from '../../../domain/access/role';
import { ValidationError } from '../../../domain/shared/validation-error';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormFaults } from '../form-faults';
import { field } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { tellNext } from '../notice';
import { Pages } from '../pages';
import { serviceUrl } from '../service-url';
import { requesterOf, type DashboardHandler, type DashboardPages, type DashboardRequest, type DashboardResponse, type DashboardRoute } from '../visitor';
import { InvitationPage } from './invitation-page';
import { TeamPage } from './team-page';

const NOBODY: FormValues = { email: '', role: 'member' };

/** The people of the account. */
@injectable()
export class TeamPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(UserReader) private readonly users: UserReader,
    @inject(InviteUser) private readonly inviteUser: InviteUser,
    @inject(IssueSetupLink) private readonly issueSetupLink: IssueSetupLink,
    @inject(RemoveUser) private readonly removeUser: RemoveUser,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/team', 'member', (req, res) => this.list(req, res, NOBODY)],
      ['post', '/team', 'owner', this.invite],
      ['post', '/team/:userId/link', 'owner', this.link],
      ['post', '/team/:userId/remove', 'owner', this.remove],
    ];
  }

  private readonly invite: DashboardHandler = async (req, res) => {
    const values = { email: field(req, 'email'), role: field(req, 'role') };
    const outcome = await attempt(() => this.inviteUser.execute({ ...requesterOf(res), email: values.email, role: roleOf(values.role) }), { fields: ['email', 'role'] });
    if ('faults' in outcome) return this.list(req, res, values, outcome.faults);
    this.showLink(req, res, outcome.result);
  };

  private readonly link: DashboardHandler = async (req, res) => {
    this.showLink(req, res, await this.issueSetupLink.execute({ ...requesterOf(res), userId: req.params['userId'] ?? '' }));
  };

  private readonly remove: DashboardHandler = async (req, res) => {
    const outcome = await attempt(() => this.removeUser.execute({ ...requesterOf(res), userId: req.params['userId'] ?? '' }));
    tellNext(req, 'faults' in outcome ? { kind: 'warning', text: outcome.faults.message ?? 'You cannot remove yourself: an account keeps an owner.' } : { kind: 'done', text: 'The person is removed and signed out everywhere.' });
    res.redirect(303, '/team');
  };

  private async list(req: DashboardRequest, res: DashboardResponse, values: FormValues, faults?: FormFaults): Promise<void> {
    const users = (await this.users.ofAccount(res.locals.visitor.accountId)).map((user) => user.toState());
    this.pages.send(req, res, { title: 'Team', section: 'team', faults }, <TeamPage users={users} values={values} faults={faults} />);
  }

  private showLink(req: DashboardRequest, res: DashboardResponse, { user, token, link }: Invitation): void {
    const url = `${serviceUrl(req, this.settings)}/set-up?token=${token}`;
    this.pages.send(req, res, { title: 'Set-up link', section: 'team' }, <InvitationPage email={user.email} url={url} expiresAt={link.expiresAt} />);
  }
}

function roleOf(text: string): Role {
  if (!isRole(text)) throw ValidationError.of('role', `must be one of ${ROLES.join(', ')}`);
  return text;
}
