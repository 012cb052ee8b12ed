import { inject, injectable } from '../../ports/inject';
import { approvalRulesOf, type Requester } from '../../../domain/access/actor';
import {
  changesRecords,
  type BulkStep,
  type RecordsStep,
  type SelectedDomain,
} from '../../../domain/portfolio/bulk-job';
import { ApprovalNeeded, type AttemptedChange } from '../../access/approvals/approval-needed';
import { ApplyTemplate } from '../../dns/templates/apply-template';
import { RollBackZone } from '../../dns/zones/history/roll-back-zone';
import { ImportZoneFile } from '../../dns/zones/zone-files/import-zone-file';
import { expecting } from '../../dns/zones/zone-request';
import { reviewEach } from '../reviews/review-each';

/** Each needs the records of its zone; more are judged as a whole, as if they changed records of every name and type. */
export const MAX_JUDGED_ZONES = 200;

type JudgedZone = SelectedDomain & { readonly ownAction: RecordsStep };

/** Judges the templates, zone files and versions of a bulk job by the records that each would change now. */
@injectable()
export class JudgeBulkRecords {
  constructor(
    @inject(ApplyTemplate) private readonly applyTemplate: Pick<ApplyTemplate, 'plan'>,
    @inject(ImportZoneFile) private readonly importZoneFile: Pick<ImportZoneFile, 'plan'>,
    @inject(RollBackZone) private readonly rollBackZone: Pick<RollBackZone, 'plan'>,
  ) {}

  /**
   * The domains with steps for the versions of their zones in which they need no second person.
   * @throws ApprovalNeeded, also if a step is refused now, because the job could change something else later
   */
  async execute(
    requester: Requester,
    domains: readonly SelectedDomain[],
    action: BulkStep,
    attempted: () => AttemptedChange,
  ): Promise<readonly SelectedDomain[]> {
    if (!approvalRulesOf(requester.actor).some(({ changes }) => changes.includes('records'))) return domains;
    const zones = domains.flatMap((domain): JudgedZone[] => {
      const step = domain.ownAction ?? action;
      return changesRecords(step) ? [{ ...domain, ownAction: step }] : [];
    });
    if (zones.length === 0) return domains;
    if (zones.length > MAX_JUDGED_ZONES) throw new ApprovalNeeded('records', attempted());
    const { accepted, refused } = await reviewEach(requester.accountId, zones, async (zone) => ({
      ...zone,
      ownAction: await this.judged(requester, zone),
    }));
    if (refused.length > 0) throw new ApprovalNeeded('records', attempted());
    const judged = new Map(accepted.map((zone) => [zone.domainId, zone]));
    return domains.map((domain) => judged.get(domain.domainId) ?? domain);
  }

  /** @throws ApprovalNeeded, and what the change would be refused with */
  private async judged(requester: Requester, { domainId, ownAction: step }: JudgedZone): Promise<RecordsStep> {
    const request = { ...requester, domainId, isPlanJudged: true };
    if (step.kind === 'roll_back') {
      const { version, expected } = step;
      await this.rollBackZone.plan({ ...request, version, expectedVersions: [expected] });
      return step;
    }
    const expected = expecting(step.version);
    const { zoneVersion: version } =
      step.kind === 'template'
        ? await this.applyTemplate.plan({
            ...request,
            templateId: step.templateId,
            values: step.values,
            template: step.template,
            ...expected,
          })
        : await this.importZoneFile.plan({
            ...request,
            text: step.text,
            mode: step.mode,
            withProviderRecords: step.withProviderRecords,
            ...expected,
          });
    return { ...step, version };
  }
}
