import { inject, injectable } from '../../../application/ports/inject';
import { InviteUser, type Invitation } from '../../../application/access/users/invite-user';
import { IssueSetupLink } from '../../../application/access/users/issue-setup-link';
import { ReadTeam } from '../../../application/access/users/read-team';
import {
  CountGrantedDomains,
  describeGranted,
  describeUnused,
} from '../../../application/portfolio/count-granted-domains';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormIssues } from '../form-issues';
import { readField, splitTags } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { Reauthentication } from '../reauthentication/reauthentication';
import { describeUnusedParameters } from '../unused-parameters';
import { PageRenderer } from '../page-renderer';
import { serviceUrl } from '../service-url';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { InvitationPage } from './invitation-page';
import { TeamPage } from './team-page';
import { readUserId, parseRole } from './team-request';

const EMPTY_FORM: FormValues = { email: '', role: 'manager', tags: '' };

/** The users of the account, invitations and set-up links. */
@injectable()
export class TeamPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ReadTeam) private readonly readTeam: ReadTeam,
    @inject(InviteUser) private readonly inviteUser: InviteUser,
    @inject(IssueSetupLink) private readonly issueSetupLink: IssueSetupLink,
    @inject(CountGrantedDomains) private readonly countGrantedDomains: CountGrantedDomains,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/team', 'read', this.list.bind(this)],
      ['post', '/team', 'owner', this.invite.bind(this), { before: this.reauthentication.require() }],
      ['post', '/team/:userId/link', 'owner', this.issueLink.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async invite(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { email: readField(req, 'email'), role: readField(req, 'role'), tags: readField(req, 'tags') };
    const outcome = await attempt(
      () =>
        this.inviteUser.execute({
          ...getRequester(res),
          email: values.email,
          role: parseRole(values.role),
          tags: splitTags(values.tags),
        }),
      { fields: ['email', 'role', 'tags'] },
    );
    if ('issues' in outcome) return this.list(req, res, values, outcome.issues);
    await this.renderLink(req, res, outcome.result);
  }

  private async issueLink(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.renderLink(
      req,
      res,
      await this.issueSetupLink.execute({ ...getRequester(res), userId: readUserId(req) }),
    );
  }

  private async list(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_FORM,
    issues?: FormIssues,
  ): Promise<void> {
    const { accountId, user: reader } = res.locals.userSession;
    const { users, links, active } = await this.readTeam.execute(accountId, reader.tags);
    this.renderer.render(
      req,
      res,
      { title: 'Team', section: 'team', issues, warning: describeUnusedParameters(req, {}) },
      <TeamPage
        users={users.map((user) => user.toState())}
        links={links}
        active={active}
        values={values}
        issues={issues}
      />,
    );
  }

  private async renderLink(
    req: DashboardRequest,
    res: DashboardResponse,
    { user, token, link }: Invitation,
  ): Promise<void> {
    const url = `${serviceUrl(req, this.settings)}/set-up?token=${token}`;
    const { accountId, role, tags } = user.toState();
    const granted = tags ? await this.countGrantedDomains.execute(accountId, tags) : undefined;
    this.renderer.render(
      req,
      res,
      { title: 'Set-up link', section: 'team', warning: granted && describeUnused(granted) },
      <InvitationPage
        email={user.email}
        url={url}
        expiresAt={link.expiresAt}
        rights={{ role, tags }}
        granted={granted && describeGranted(granted)}
      />,
    );
  }
}
