import { inject, injectable } from '../../ports/inject';
import type { Requester } from '../../../domain/access/actor';
import {
  MAX_BULK_ZONE_FILES,
  type BulkJob,
  type ZoneFilesAction,
  type ZoneFileStep,
  type SelectedDomain,
} from '../../../domain/portfolio/bulk-job';
import { DomainNotFound } from '../../../domain/shared/domain-errors';
import type { Issue } from '../../../domain/shared/issue';
import { ValidationError } from '../../../domain/shared/validation-error';
import type { ImportMode } from '../../dns/zones/zone-files/import-zone-file';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import { FindDomain } from '../../registration/find-domain';
import { waitForNextSlice } from '../../shared/run-cooperatively';
import { StartBulkJob } from '../bulk/start-bulk-job';

const MEMBER = 'zone_files';

/** The zone file of a name of the account. */
export interface BulkZoneFile {
  readonly name: string;
  readonly text: string;
  /** That the zone must have; undefined: any. */
  readonly version?: number | undefined;
}

/** A zone, and its file. */
interface ZoneFileOf extends SelectedDomain {
  readonly ownAction: ZoneFileStep;
}

interface StartBulkZoneFilesCommand extends Requester {
  readonly files: readonly BulkZoneFile[];
  /** Default: `replace`. */
  readonly mode?: ImportMode | undefined;
  readonly withProviderRecords?: boolean | undefined;
}

/**
 * Stores a job that imports the zone files of many names; `BulkRunner` runs it, each name as if its file were imported alone.
 * @throws ValidationError with the index of each file whose name has no zone here; LimitedKey, ApprovalNeeded, BulkLimitReached
 */
@injectable()
export class StartBulkZoneFiles {
  constructor(
    @inject(FindDomain) private readonly findDomain: Pick<FindDomain, 'zoneByName'>,
    @inject(StartBulkJob) private readonly startJob: Pick<StartBulkJob, 'start'>,
  ) {}

  async execute(
    { files, mode = 'replace', withProviderRecords = false, ...requester }: StartBulkZoneFilesCommand,
    hook?: TransactionHook<BulkJob>,
  ): Promise<BulkJob> {
    assertSize(files);
    const action: ZoneFilesAction = { kind: 'zone_files', mode, withProviderRecords };
    const zones = await this.select(requester, files, action);
    return this.startJob.start({ ...requester, action, domains: zones }, hook);
  }

  private async select(
    requester: Requester,
    files: readonly BulkZoneFile[],
    { mode, withProviderRecords }: ZoneFilesAction,
  ): Promise<readonly ZoneFileOf[]> {
    const issues: Issue[] = [];
    const selected = new Map<string, ZoneFileOf>();
    for (const [index, { name, text, version }] of files.entries()) {
      if (index > 0) await waitForNextSlice(requester.accountId);
      const path = `${MEMBER}[${index}].name`;
      const zone = await this.find(requester, name);
      if (!zone) issues.push({ path, message: 'must be the name of a zone of this account' });
      else if (selected.has(zone.domainId)) issues.push({ path, message: 'is in the list twice' });
      else
        selected.set(zone.domainId, {
          ...zone,
          ownAction: { kind: 'zone_file', mode, withProviderRecords, text, version },
        });
    }
    if (issues.length > 0) throw new ValidationError(issues);
    return [...selected.values()];
  }

  private async find(
    requester: Requester,
    name: string,
  ): Promise<Pick<SelectedDomain, 'domainId' | 'name'> | undefined> {
    try {
      const zone = await this.findDomain.zoneByName({ ...requester, name }, 'write');
      return { domainId: zone.id, name: zone.toState().name };
    } catch (error) {
      if (error instanceof DomainNotFound) return undefined;
      throw error;
    }
  }
}

/** @throws ValidationError */
function assertSize(files: readonly BulkZoneFile[]): void {
  const { files: most, octets } = MAX_BULK_ZONE_FILES;
  if (files.length < 1 || files.length > most) throw ValidationError.of(MEMBER, `must be 1 to ${most} zone files`);
  const total = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (total > octets)
    throw ValidationError.of(MEMBER, `must have at most ${octets / 1_048_576} MiB together. Import them in parts`);
}
