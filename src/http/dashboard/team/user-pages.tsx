import { inject, injectable } from '../../../application/ports/inject';
import { FindCreatedKeys } from '../../../application/access/api-keys/find-created-keys';
import { ChangeAccountSettings } from '../../../application/access/change-account-settings';
import { ChangeRole } from '../../../application/access/users/change-role';
import { RevokeSetupLink } from '../../../application/access/users/revoke-setup-link';
import {
  CountGrantedDomains,
  describeGranted,
  describeUnused,
} from '../../../application/portfolio/count-granted-domains';
import { describeUserRights } from '../../../domain/access/people/role';
import type { User } from '../../../domain/access/people/user';
import { attempt } from '../form-issues';
import { readField, splitTags } from '../form-fields';
import { Reauthentication } from '../reauthentication/reauthentication';
import { setFlash, type Flash } from '../flash';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { redirect } from '../redirect';
import { readUserId, parseRole } from './team-request';

/** What managers may do, their roles, and set-up links that are revoked. */
@injectable()
export class UserPages implements DashboardPages {
  constructor(
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(ChangeAccountSettings) private readonly changeAccountSettings: ChangeAccountSettings,
    @inject(FindCreatedKeys) private readonly findCreatedKeys: FindCreatedKeys,
    @inject(ChangeRole) private readonly changeRole: ChangeRole,
    @inject(CountGrantedDomains) private readonly countGrantedDomains: CountGrantedDomains,
    @inject(RevokeSetupLink) private readonly revokeSetupLink: RevokeSetupLink,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      [
        'post',
        '/team/members-may-transfer',
        'owner',
        this.putMembersMayTransfer.bind(this),
        { before: this.reauthentication.require() },
      ],
      ['post', '/team/:userId/link/revoke', 'owner', this.revokeLink.bind(this)],
      ['post', '/team/:userId/role', 'owner', this.putRole.bind(this), { before: this.reauthentication.require() }],
    ];
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
        ? 'Managers can now unlock, transfer and delete domains.'
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
        tags: splitTags(readField(req, 'tags')),
      }),
    );
    setFlash(
      req,
      'issues' in outcome
        ? {
            kind: 'warning',
            text: outcome.issues.fields.has('tags')
              ? `The role was not changed. Tags: ${outcome.issues.fields.get('tags')}.`
              : 'The role was not changed because an account needs at least one owner. Make another user an owner first.',
          }
        : await this.describeChange(outcome.result),
    );
    redirect(res, '/team');
  }

  private async describeChange(user: User): Promise<Flash> {
    const { accountId, tags } = user.toState();
    const granted = tags ? await this.countGrantedDomains.execute(accountId, tags) : undefined;
    const unused = granted && describeUnused(granted);
    const role = `${describeUserRights(user.toState())}${granted ? `, ${describeGranted(granted)}` : ''}`;
    const text = `The role of ${user.email} is now ${role}.${unused === undefined ? '' : ` ${unused}`}`;
    return {
      kind: unused === undefined ? 'success' : 'warning',
      text: `${text}${await this.describeKeptKeys(user)}`,
    };
  }

  /** Programs may depend on the API keys of a former owner, so a change of role revokes none. */
  private async describeKeptKeys(user: User): Promise<string> {
    if (user.isOwner) return '';
    const { accountId } = user.toState();
    const keys = await this.findCreatedKeys.execute({ accountId, creator: { kind: 'user', id: user.id } });
    if (keys.length === 0) return '';
    const what = keys.length === 1 ? 'An API key' : `${keys.length} API keys`;
    return ` ${what} of this user still work${keys.length === 1 ? 's' : ''}. The page “API keys” shows who created each key; revoke those that should end.`;
  }
}
