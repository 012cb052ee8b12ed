import { inject, injectable } from '../../../application/ports/inject';
import { FindCreatedKeys } from '../../../application/access/api-keys/find-created-keys';
import { RemoveUser } from '../../../application/access/users/remove-user';
import type { ApiKey } from '../../../domain/access/api-key';
import { UserNotFound } from '../../../domain/access/access-errors';
import { UserReader } from '../../../application/ports/access/users';
import { ValidationError } from '../../../domain/shared/validation-error';
import { attempt, type FormIssues } from '../form-issues';
import { readField } from '../form-fields';
import { Reauthentication } from '../reauthentication/reauthentication';
import { setFlash } from '../flash';
import { PageRenderer } from '../page-renderer';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { RemovalPage } from './removal-page';
import { redirect } from '../redirect';
import { readUserId } from './team-request';

/** Removal of a user, with or without the API keys that the user created. */
@injectable()
export class RemovalPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(Reauthentication) private readonly reauthentication: Reauthentication,
    @inject(UserReader) private readonly users: UserReader,
    @inject(FindCreatedKeys) private readonly findCreatedKeys: FindCreatedKeys,
    @inject(RemoveUser) private readonly removeUser: RemoveUser,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [
      ['get', '/team/:userId/remove', 'owner', this.reviewRemoval.bind(this)],
      ['post', '/team/:userId/remove', 'owner', this.remove.bind(this), { before: this.reauthentication.require() }],
    ];
  }

  private async remove(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const choice = readField(req, 'keys');
    const userId = readUserId(req);
    const outcome = await attempt(async () => {
      if (choice !== 'revoke' && choice !== 'keep' && (await this.findKeys(req, res)).length > 0)
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
    const page = <RemovalPage user={user} keys={await this.findKeys(req, res)} issues={issues} />;
    this.renderer.render(req, res, { title: `Remove ${user.email}`, section: 'team', issues }, page);
  }

  private findKeys(req: DashboardRequest, res: DashboardResponse): Promise<readonly ApiKey[]> {
    const { accountId } = res.locals.userSession;
    return this.findCreatedKeys.execute({ accountId, creator: { kind: 'user', id: readUserId(req) } });
  }
}

function describeRevokedKeys(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' Their API key was revoked.' : ` Their ${count} API keys were revoked.`;
}
