import { inject, injectable } from '../../../application/ports/inject';
import { ChangeTags } from '../../../application/portfolio/change-tags';
import {
  getRequester,
  type DashboardPages,
  type DashboardRequest,
  type DashboardResponse,
  type DashboardRoute,
} from '../dashboard-route';
import { FindDomain } from '../../../application/registration/find-domain';
import { normalizeTag, TAG_EXPECTATION } from '../../../domain/shared/tags';
import { DomainLayout } from '../layout/domain/domain-layout';
import { findDomainOf, redirectToDomain } from '../layout/domain/domain-request';
import { readField, splitTags } from '../form-fields';
import { attempt, type FormIssues } from '../form-issues';
import { PageRenderer } from '../page-renderer';
import { displayName } from '../layout/domain/domain-labels';
import { TagsCard } from './tags-card';

/** The tags of a domain. */
@injectable()
export class TagPages implements DashboardPages {
  constructor(
    @inject(PageRenderer) private readonly renderer: PageRenderer,
    @inject(FindDomain) private readonly findDomain: FindDomain,
    @inject(ChangeTags) private readonly changeTags: ChangeTags,
  ) {}

  get routes(): readonly DashboardRoute[] {
    return [['post', '/domains/:id/tags', 'settings', this.put.bind(this), { everyDomain: true }]];
  }

  private async put(req: DashboardRequest, res: DashboardResponse): Promise<void> {
    const domain = await findDomainOf(req, res, this.findDomain);
    const text = readField(req, 'tags');
    const tags = splitTags(text);
    const outcome = await attempt(() => this.changeTags.execute({ ...getRequester(res), domainId: domain.id, tags }));
    if (!('issues' in outcome)) return redirectToDomain(req, res, outcome, 'The tags were changed.');
    const issues = withTagNames(outcome.issues, tags);
    this.renderer.render(
      req,
      res,
      { title: `Tags of ${displayName(domain.name)}`, section: 'domains', issues },
      <DomainLayout domain={domain} tab="details">
        <TagsCard domain={domain} text={text} issues={issues} />
      </DomainLayout>,
    );
  }
}

/** At the field, which has all tags. */
function withTagNames(issues: FormIssues, tags: readonly string[]): FormIssues {
  const invalid = tags.filter((tag) => normalizeTag(tag) === undefined);
  if (invalid.length === 0) return issues;
  const names = invalid.map((tag) => `“${tag}”`).join(', ');
  return { ...issues, fields: new Map([['tags', `Each tag ${TAG_EXPECTATION}. Not valid: ${names}`]]) };
}
