import { inject, injectable } from '../../../application/ports/inject';
import { InviteUser, type Invitation } from '../../../application/access/users/invite-user';
import { IssueSetupLink } from '../../../application/access/users/issue-setup-link';
import { ReadTeam } from '../../../application/access/users/read-team';
import { InviteForDomains } from '../../../application/portfolio/invite-for-domains';
import { parseUserRights } from '../../../domain/access/people/role';
import { ValidationError } from '../../../domain/shared/validation-error';
import { NoticeSettings } from '../../../application/notices/notice-settings';
import { MailReader } from '../../../application/ports/notices/mails-and-notices';
import {
  CountGrantedDomains,
  describeGranted,
  describeUnused,
} from '../../../application/portfolio/count-granted-domains';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormIssues } from '../form-issues';
import { readField, splitTags } from '../form-fields';
import type { FormValues } from '../layout/forms/forms';
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
import { ReviewInvitationPage } from './review-invitation-page';
import { TeamPage } from './team-page';
import { readUserId, parseRole } from './team-request';

const EMPTY_FORM: FormValues = { email: '', role: 'manager', domains: '', tags: '' };
const FIELDS = { fields: ['email', 'role', 'domains', 'tags'] };

/** The users of the account, invitations and set-up links. */
@injectable()
export class TeamPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ReadTeam) private readonly readTeam: ReadTeam,
    @inject(InviteUser) private readonly inviteUser: InviteUser,
    @inject(InviteForDomains) private readonly forDomains: InviteForDomains,
    @inject(IssueSetupLink) private readonly issueSetupLink: IssueSetupLink,
    @inject(CountGrantedDomains) private readonly countGrantedDomains: CountGrantedDomains,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
    @inject(MailReader) private readonly mails: MailReader,
    @inject(NoticeSettings) private readonly notices: Pick<NoticeSettings, 'delivery'>,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/team', 'read', this.list.bind(this)],
      ['post', '/team', 'owner', this.invite.bind(this), { before: this.reauthentication.require() }],
      ['post', '/team/:userId/link', 'owner', this.issueLink.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async invite(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = {
      email: readField(req, 'email'),
      role: readField(req, 'role'),
      domains: readField(req, 'domains'),
      tags: readField(req, 'tags'),
    };
    if (values.domains.trim() !== '') return this.inviteForDomains(req, res, values);
    const outcome = await attempt(
      () =>
        this.inviteUser.execute({
          ...getRequester(res),
          email: values.email,
          role: parseRole(values.role),
          tags: splitTags(values.tags),
        }),
      FIELDS,
    );
    if ('issues' in outcome) return this.list(req, res, values, outcome.issues);
    await this.renderLink(req, res, outcome.result);
  }

  /** Shows first what it grants. The form of that page has the tag that was agreed to. */
  private async inviteForDomains(
    req: DashboardRequest,
    res: DashboardResponse,
    values: Readonly<Record<'email' | 'role' | 'domains' | 'tags', string>>,
  ): Promise<void> {
    const tag = readField(req, 'tag');
    const names = values.domains.split(/[\s,]+/).filter((each) => each !== '');
    const command = { ...getRequester(res), email: values.email, names };
    const outcome = await attempt(async () => {
      const role = parseRole(values.role);
      if (values.tags.trim() !== '') throw ValidationError.of('tags', 'must be empty if domains are named');
      parseUserRights(role, [tag === '' ? 'any' : tag]);
      return tag === ''
        ? { role, grant: await this.forDomains.plan(command) }
        : { invitation: await this.forDomains.execute({ ...command, role, tag }) };
    }, FIELDS);
    if ('issues' in outcome) return this.list(req, res, values, outcome.issues);
    if (outcome.result.invitation) return this.renderLink(req, res, outcome.result.invitation);
    this.renderer.render(
      req,
      res,
      { title: `Invite ${values.email}`, section: 'team' },
      <ReviewInvitationPage email={values.email} {...outcome.result} />,
    );
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
    const undelivered = reader.role === 'owner' ? await this.mails.undelivered(users.map(({ id }) => id)) : [];
    this.renderer.render(
      req,
      res,
      { title: 'Team', section: 'team', issues, warning: describeUnusedParameters(req, {}) },
      <TeamPage
        users={users.map((user) => user.toState())}
        links={links}
        active={active}
        undelivered={undelivered}
        delivery={this.notices.delivery}
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
        isMailed={this.notices.delivery === 'smtp'}
        expiresAt={link.expiresAt}
        rights={{ role, tags }}
        granted={granted && describeGranted(granted)}
      />,
    );
  }
}
