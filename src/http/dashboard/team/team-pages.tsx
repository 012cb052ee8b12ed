import { inject, injectable } from 'inversify';
import { ChangeAccountSettings } from '../../../application/access/change-account-settings';
import { ChangeRole } from '../../../application/access/users/change-role';
import { RevokeSetupLink } from '../../../application/access/users/revoke-setup-link';
import { InviteUser, type Invitation } from '../../../application/access/users/invite-user';
import { IssueSetupLink } from '../../../application/access/users/issue-setup-link';
import { RemoveUser } from '../../../application/access/users/remove-user';
import { ApiKeyReader } from '../../../application/ports/access/access-repositories';
import { Clock } from '../../../application/ports/system/clock';
import { MAX_ACTIVE_KEYS, type ApiKey } from '../../../domain/access/api-key';
import { UserNotFound } from '../../../domain/access/errors';
import { SetupLinkReader, UserReader } from '../../../application/ports/access/user-repository';
import { isRole, ROLES, type Role } from '../../../domain/access/role';
import { ValidationError } from '../../../domain/shared/validation-error';
import { DashboardSettings } from '../dashboard-settings';
import { attempt, type FormIssues } from '../form-issues';
import { field } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { Reauthentication } from '../middleware/reauthentication';
import { unusedParameters } from '../list-parameters';
import { setFlash } from '../notice';
import { Pages } from '../pages';
import { serviceUrl } from '../service-url';
import {
  requesterOf,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../visitor';
import { InvitationPage } from './invitation-page';
import { RemovalPage } from './removal-page';
import { TeamPage } from './team-page';
import { seeOther } from '../see-other';

const EMPTY_INVITATION: FormValues = { email: '', role: 'member' };

/** The people of the account. */
@injectable()
export class TeamPages implements DashboardPages {
  constructor(
    @inject(Pages) private readonly pages: Pages,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ChangeAccountSettings) private readonly changeAccountSettings: ChangeAccountSettings,
    @inject(UserReader) private readonly users: UserReader,
    @inject(SetupLinkReader) private readonly links: SetupLinkReader,
    @inject(ApiKeyReader) private readonly keys: ApiKeyReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(InviteUser) private readonly inviteUser: InviteUser,
    @inject(IssueSetupLink) private readonly issueSetupLink: IssueSetupLink,
    @inject(RevokeSetupLink) private readonly revokeSetupLink: RevokeSetupLink,
    @inject(ChangeRole) private readonly changeRole: ChangeRole,
    @inject(RemoveUser) private readonly removeUser: RemoveUser,
    @inject(DashboardSettings) private readonly settings: DashboardSettings,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/team', 'member', this.list.bind(this)],
      ['post', '/team', 'owner', this.reauthentication.before(this.invite.bind(this))],
      [
        'post',
        '/team/members-may-transfer',
        'owner',
        this.reauthentication.before(this.putMembersMayTransfer.bind(this)),
      ],
      ['post', '/team/:userId/link', 'owner', this.reauthentication.before(this.link.bind(this))],
      ['post', '/team/:userId/link/revoke', 'owner', this.revokeLink.bind(this)],
      ['post', '/team/:userId/role', 'owner', this.reauthentication.before(this.putRole.bind(this))],
      ['get', '/team/:userId/remove', 'owner', this.reviewRemoval.bind(this)],
      ['post', '/team/:userId/remove', 'owner', this.reauthentication.before(this.remove.bind(this))],
    ];
  }

  private async invite(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { email: field(req, 'email'), role: field(req, 'role') };
    const outcome = await attempt(
      () => this.inviteUser.execute({ ...requesterOf(res), email: values.email, role: roleOf(values.role) }),
      { fields: ['email', 'role'] },
    );
    if ('issues' in outcome) return this.list(req, res, values, outcome.issues);
    this.showLink(req, res, outcome.result);
  }

  private async link(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    this.showLink(req, res, await this.issueSetupLink.execute({ ...requesterOf(res), userId: userIdOf(req) }));
  }

  private async revokeLink(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.revokeSetupLink.execute({ ...requesterOf(res), userId: userIdOf(req) });
    setFlash(req, { kind: 'done', text: 'The set-up link is revoked.' });
    seeOther(res, '/team');
  }

  private async putMembersMayTransfer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { membersMayTransfer } = await this.changeAccountSettings.execute({
      ...requesterOf(res),
      settings: { membersMayTransfer: field(req, 'on') === 'yes' },
    });
    setFlash(req, {
      kind: 'done',
      text: membersMayTransfer
        ? 'Members may now unlock, transfer and delete domains.'
        : 'Only owners may now unlock, transfer and delete domains.',
    });
    seeOther(res, '/team');
  }

  private async putRole(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() =>
      this.changeRole.execute({ ...requesterOf(res), userId: userIdOf(req), role: roleOf(field(req, 'role')) }),
    );
    setFlash(
      req,
      'issues' in outcome
        ? { kind: 'warning', text: 'The role was not changed: an account keeps an owner.' }
        : { kind: 'done', text: `${outcome.result.email} is now ${outcome.result.isOwner ? 'an owner' : 'a member'}.` },
    );
    seeOther(res, '/team');
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const choice = field(req, 'keys');
    const userId = userIdOf(req);
    const outcome = await attempt(async () => {
      if (choice !== 'revoke' && choice !== 'keep' && (await this.keysOf(req, res)).length > 0)
        throw ValidationError.of('keys', 'must be revoke or keep: choose one');
      return this.removeUser.execute({ ...requesterOf(res), userId, revokeKeys: choice === 'revoke' });
    });
    if ('issues' in outcome && outcome.issues.fields.has('keys')) return this.reviewRemoval(req, res, outcome.issues);
    setFlash(
      req,
      'issues' in outcome
        ? { kind: 'warning', text: outcome.issues.message ?? 'You cannot remove yourself: an account keeps an owner.' }
        : {
            kind: 'done',
            text: `The person is removed and signed out everywhere.${keysRevoked(outcome.result.length)}`,
          },
    );
    seeOther(res, '/team');
  }

  private async reviewRemoval(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const user = (await this.users.find(userIdOf(req)))?.toState();
    if (user?.accountId !== res.locals.visitor.accountId) throw new UserNotFound();
    const page = <RemovalPage user={user} keys={await this.keysOf(req, res)} issues={issues} />;
    this.pages.send(req, res, { title: `Remove ${user.email}`, section: 'team', issues }, page);
  }

  /** The keys that the person created and that still work. */
  private async keysOf(req: DashboardRequest, res: DashboardResponse): Promise<readonly ApiKey[]> {
    const filter = { activeAt: this.clock.now(), createdBy: { kind: 'user', id: userIdOf(req) } } as const;
    return this.keys.page(res.locals.visitor.accountId, filter, MAX_ACTIVE_KEYS);
  }

  private async list(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_INVITATION,
    issues?: FormIssues,
  ): Promise<void> {
    const { accountId } = res.locals.visitor;
    const [users, links] = await Promise.all([this.users.ofAccount(accountId), this.links.ofAccount(accountId)]);
    this.pages.send(
      req,
      res,
      { title: 'Team', section: 'team', issues, warning: unusedParameters(req, {}) },
      <TeamPage users={users.map((user) => user.toState())} links={links} values={values} issues={issues} />,
    );
  }

  private showLink(req: DashboardRequest, res: DashboardResponse, { user, token, link }: Invitation): void {
    const url = `${serviceUrl(req, this.settings)}/set-up?token=${token}`;
    this.pages.send(
      req,
      res,
      { title: 'Set-up link', section: 'team' },
      <InvitationPage email={user.email} url={url} expiresAt={link.expiresAt} />,
    );
  }
}

function userIdOf(req: DashboardRequest): string {
  return req.params['userId'] ?? '';
}

function keysRevoked(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' Their API key is revoked.' : ` Their ${count} API keys are revoked.`;
}

function roleOf(text: string): Role {
  if (!isRole(text)) throw ValidationError.of('role', `must be one of ${ROLES.join(', ')}`);
  return text;
}
