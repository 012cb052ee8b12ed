import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import type { BulkAction, SelectedDomain } from '../../../domain/portfolio/bulk-job';
import { ApplyTemplate } from '../../dns/templates/apply-template';
import { changesNothing } from '../../../domain/dns/zone-change';
import type { ZonePlan } from '../../dns/zones/zone-plan';
import { reviewEach, type RefusedDomain } from './review-each';

/** Each needs the domain's records. */
export const MAX_REVIEWED_ZONES = 200;

interface ReviewedZone {
  readonly domain: SelectedDomain;
  readonly plan: ZonePlan;
}

export interface BulkTemplateReview {
  /** Those that change. */
  readonly zones: readonly ReviewedZone[];
  readonly unchanged: readonly SelectedDomain[];
  readonly refused: readonly RefusedDomain[];
  /** How many of the selected domains are not reviewed. */
  readonly unread: number;
}

/** Shows what a record template changes in each of the first 200 domains. Stores nothing. */
@injectable()
export class ReviewBulkTemplate {
  constructor(@inject(ApplyTemplate) private readonly applyTemplate: ApplyTemplate) {}

  async execute(
    requester: Requester,
    domains: readonly SelectedDomain[],
    { templateId, values }: Extract<BulkAction, { kind: 'template' }>,
  ): Promise<BulkTemplateReview> {
    const reviewed = domains.slice(0, MAX_REVIEWED_ZONES);
    const { accepted, refused } = await reviewEach(
      requester.accountId,
      reviewed,
      async (domain): Promise<ReviewedZone> => {
        const command = { ...requester, domainId: domain.domainId, templateId, values };
        return { domain, plan: await this.applyTemplate.plan(command) };
      },
    );
    return {
      zones: accepted.filter((zone) => !isUnchanged(zone)),
      unchanged: accepted.filter(isUnchanged).map(({ domain }) => domain),
      refused,
      unread: domains.length - reviewed.length,
    };
  }
}

function isUnchanged({ plan }: ReviewedZone): boolean {
  return changesNothing(plan.change);
}
