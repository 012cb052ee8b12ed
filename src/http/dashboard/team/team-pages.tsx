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
import { readField } from '../form-fields';
import type { FormValues } from '../layout/forms';
import { Reauthentication } from '../middleware/reauthentication';
import { describeUnusedParameters } from '../unused-parameters';
import { setFlash } from '../flash';
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
import { RemovalPage } from './removal-page';
import { TeamPage } from './team-page';
import { redirect } from '../redirect';

const EMPTY_FORM: FormValues = { email: '', role: 'member' };

/** The users of the account. */
@injectable()
export class TeamPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
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
      ['post', '/team', 'owner', this.invite.bind(this), { before: this.reauthentication.require() }],
      [
        'post',
        '/team/members-may-transfer',
        'owner',
        this.putMembersMayTransfer.bind(this),
        { before: this.reauthentication.require() },
      ],
      ['post', '/team/:userId/link', 'owner', this.issueLink.bind(this), { before: this.reauthentication.require() }],
      ['post', '/team/:userId/link/revoke', 'owner', this.revokeLink.bind(this)],
      ['post', '/team/:userId/role', 'owner', this.putRole.bind(this), { before: this.reauthentication.require() }],
      ['get', '/team/:userId/remove', 'owner', this.reviewRemoval.bind(this)],
      ['post', '/team/:userId/remove', 'owner', this.remove.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async invite(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const values = { email: readField(req, 'email'), role: readField(req, 'role') };
    const outcome = await attempt(
      () => this.inviteUser.execute({ ...getRequester(res), email: values.email, role: parseRole(values.role) }),
      { fields: ['email', 'role'] },
    );
    if ('issues' in outcome) return this.list(req, res, values, outcome.issues);
    this.renderLink(req, res, outcome.result);
  }

  private async issueLink(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    this.renderLink(req, res, await this.issueSetupLink.execute({ ...getRequester(res), userId: readUserId(req) }));
  }

  private async revokeLink(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    await this.revokeSetupLink.execute({ ...getRequester(res), userId: readUserId(req) });
    setFlash(req, { kind: 'success', text: 'The set-up link was revoked.' });
    redirect(res, '/team');
  }

  private async putMembersMayTransfer(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const { membersMayTransfer } = await this.changeAccountSettings.execute({
      ...getRequester(res),
      settings: { membersMayTransfer: readField(req, 'on') === 'yes' },
    });
    setFlash(req, {
      kind: 'success',
      text: membersMayTransfer
        ? 'Members can now unlock, transfer and delete domains.'
        : 'Only owners can now unlock, transfer and delete domains.',
    });
    redirect(res, '/team');
  }

  private async putRole(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const outcome = await attempt(() =>
      this.changeRole.execute({
        ...getRequester(res),
        userId: readUserId(req),
        role: parseRole(readField(req, 'role')),
      }),
    );
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text: 'The role was not changed because an account needs at least one owner. Make another user an owner first.',
          }
        : {
            kind: 'success',
            text: `${outcome.result.email} is now ${outcome.result.isOwner ? 'an owner' : 'a member'}.`,
          },
    );
    redirect(res, '/team');
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const choice = readField(req, 'keys');
    const userId = readUserId(req);
    const outcome = await attempt(async () => {
      if (choice !== 'revoke' && choice !== 'keep' && (await this.findActiveKeys(req, res)).length > 0)
        throw ValidationError.of('keys', 'must be revoke or keep');
      return this.removeUser.execute({ ...getRequester(res), userId, revokeKeys: choice === 'revoke' });
    });
    if ('issues' in outcome && outcome.issues.fields.has('keys')) return this.reviewRemoval(req, res, outcome.issues);
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text:
              outcome.issues.message ??
              'The user was not removed because owners cannot remove themselves. Ask another owner.',
          }
        : {
            kind: 'success',
            text: `The user was removed and signed out everywhere.${describeRevokedKeys(outcome.result.length)}`,
          },
    );
    redirect(res, '/team');
  }

  private async reviewRemoval(req: DashboardRequest, res: DashboardResponse, issues?: FormIssues): Promise<void> {
    const user = (await this.users.find(readUserId(req)))?.toState();
    if (user?.accountId !== res.locals.userSession.accountId) throw new UserNotFound();
    const page = <RemovalPage user={user} keys={await this.findActiveKeys(req, res)} issues={issues} />;
    this.renderer.render(req, res, { title: `Remove ${user.email}`, section: 'team', issues }, page);
  }

  /** The active API keys that the user created. */
  private async findActiveKeys(req: DashboardRequest, res: DashboardResponse): Promise<readonly ApiKey[]> {
    const filter = { activeAt: this.clock.now(), createdBy: { kind: 'user', id: readUserId(req) } } as const;
    return this.keys.page(res.locals.userSession.accountId, filter, MAX_ACTIVE_KEYS);
  }

  private async list(
    req: DashboardRequest,
    res: DashboardResponse,
    values: FormValues = EMPTY_FORM,
    issues?: FormIssues,
  ): Promise<void> {
    const { accountId } = res.locals.userSession;
    const [users, links] = await Promise.all([this.users.ofAccount(accountId), this.links.ofAccount(accountId)]);
    this.renderer.render(
      req,
      res,
      { title: 'Team', section: 'team', issues, warning: describeUnusedParameters(req, {}) },
      <TeamPage users={users.map((user) => user.toState())} links={links} values={values} issues={issues} />,
    );
  }

  private renderLink(req: DashboardRequest, res: DashboardResponse, { user, token, link }: Invitation): void {
    const url = `${serviceUrl(req, this.settings)}/set-up?token=${token}`;
    this.renderer.render(
      req,
      res,
      { title: 'Set-up link', section: 'team' },
      <InvitationPage email={user.email} url={url} expiresAt={link.expiresAt} />,
    );
  }
}

function readUserId(req: DashboardRequest): string {
  return req.params['userId'] ?? '';
}

function describeRevokedKeys(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' Their API key was revoked.' : ` Their ${count} API keys were revoked.`;
}

function parseRole(text: string): Role {
  if (!isRole(text)) throw ValidationError.of('role', `must be one of ${ROLES.join(', ')}`);
  return text;
}
