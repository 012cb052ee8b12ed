import { inject, injectable } from 'inversify';
import { ChangeTags } from '../../../application/portfolio/change-tags';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { readDomainId, redirectToDomain } from '../domain/domain-request';
import { readField, splitTags } from '../form-fields';
import { attempt } from '../form-issues';

/** The tags of a domain. */
@injectable()
export class TagPages implements DashboardPages {
  constructor(@inject(ChangeTags) private readonly changeTags: ChangeTags) {}

  get routes(): readonly DashboardRoute[] {
    return [['post', '/domains/:id/tags', 'settings', this.put.bind(this), { everyDomain: true }]];
  }

  private async put(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const tags = splitTags(readField(req, 'tags'));
    const outcome = await attempt(() =>
      this.changeTags.execute({ ...getRequester(res), domainId: readDomainId(req), tags }),
    );
    redirectToDomain(req, res, outcome, 'The tags were changed.');
  }
}
