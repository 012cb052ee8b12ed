import { ImportZoneFile } from '../../../application/dns/zones/zone-files/import-zone-file';
import { expecting } from '../../../application/dns/zones/zone-request';
import { inject, injectable } from '../../../application/ports/inject';
import type { RehearsedChange } from '../../../application/ports/storage/unit-of-work';
import { reviewEach } from '../../../application/portfolio/reviews/review-each';
import type { Requester } from '../../../domain/access/actor';
import type { ProposalPlan } from '../../../domain/access/proposals/proposal';
import { ValidationError } from '../../../domain/shared/validation-error';
import { importReport, zonePlan } from '../resources/dns/zone-changes';

/** What the zone files of a bulk job change, name by name. */
@injectable()
export class ZoneFilePlans {
  constructor(@inject(ImportZoneFile) private readonly importZoneFile: ImportZoneFile) {}

  /** The member of the plan, in the order of the files; none if the job has no zone files. @throws ValidationError naming the files that would be refused */
  async of({ accountId, actor }: Requester, steps: RehearsedChange['bulkSteps']): Promise<object> {
    const files = steps.flatMap(({ domainId, name, step }, index) =>
      step.kind === 'zone_file' ? [{ domainId, name, step, index }] : [],
    );
    if (files.length === 0) return {};
    const { accepted, refused } = await reviewEach(accountId, files, async ({ domainId, name, step }) => {
      const { text, mode, withProviderRecords, version } = step;
      const file = { domainId, text, mode, withProviderRecords, ...expecting(version) };
      const plan = await this.importZoneFile.plan({ accountId, actor, ...file });
      return { domain: name, ...zonePlan(plan), ...importReport(plan.result), dry_run: undefined };
    });
    if (refused.length > 0)
      throw new ValidationError(
        refused.map(({ name, reason, index }) => ({ path: `zone_files[${index}]`, message: `of ${name}: ${reason}` })),
      );
    return { zones: accepted };
  }
}

/** The body of the job, for the versions of the zones that the plan was made for. */
export function forPlannedVersions(body: unknown, { zones }: ProposalPlan): unknown {
  const { zone_files: files, ...others } = body as { readonly zone_files: readonly object[] };
  const versions = (zones as readonly { readonly version: number }[]).map(({ version }) => version);
  return { ...others, zone_files: files.map((file, index) => ({ ...file, version: versions[index] })) };
}
