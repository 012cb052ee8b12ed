import { inject, injectable } from '../ports/inject';
import type { Requester } from '../../domain/access/actor';
import type { TemplateValues } from '../../domain/dns/templates/record-template';
import type { RecordSetChange } from '../../domain/dns/update/record-set-changes';
import { ValidationError } from '../../domain/shared/validation-error';
import { ChangeRecordSets } from '../dns/records/change-record-sets';
import { ApplyTemplate } from '../dns/templates/apply-template';
import { ImportZoneFile, type ImportedZone } from '../dns/zones/zone-files/import-zone-file';
import type { Decide, ZoneDecision } from '../dns/zones/zone-request';
import type { ImportableZone } from '../ports/dns/other-nameservers';
import { ReadPresentZone, type PresentZoneSource } from '../registrar/read-present-zone';

/** Where the first records of a zone come from. */
export type ZoneContentsSource = PresentZoneSource | GivenContents;

/** Contents that no other server has to be asked for. */
export type GivenContents =
  | { readonly source: 'zonefile'; readonly zoneFile: string }
  | { readonly source: 'template'; readonly templateId: string; readonly values: TemplateValues }
  | { readonly source: 'record sets'; readonly changes: readonly RecordSetChange[] };

/** What the present zone has and cannot be copied. */
export type NotCopied = Pick<ImportableZone, 'skipped' | 'leftOut'>;

/** The first records of a zone that is to be created. */
@injectable()
export class ZoneContents {
  constructor(
    @inject(ReadPresentZone) private readonly presentZone: Pick<ReadPresentZone, 'ofName'>,
    @inject(ImportZoneFile) private readonly zoneFiles: Pick<ImportZoneFile, 'decideNew'>,
    @inject(ApplyTemplate) private readonly templates: Pick<ApplyTemplate, 'decideNew'>,
    @inject(ChangeRecordSets) private readonly recordSets: Pick<ChangeRecordSets, 'decideFor'>,
  ) {}

  /** Asks other servers, if they have the contents. @throws ValidationError, ZoneSourceFailed, RegistryRejected, RegistryUnavailable */
  async fetch(
    zoneName: string,
    requester: Requester,
    from: ZoneContentsSource,
  ): Promise<{ readonly given: GivenContents; readonly notCopied: NotCopied }> {
    if (isGiven(from)) return { given: from, notCopied: { skipped: {}, leftOut: [] } };
    const { zoneFile, ...notCopied } = await belowFrom(this.presentZone.ofName(zoneName, { ...requester, ...from }));
    return { given: { source: 'zonefile', zoneFile }, notCopied };
  }

  /** @throws ValidationError, ItemsRejected, LimitExceeded, TemplateNotFound */
  async read(zoneName: string, requester: Requester, given: GivenContents): Promise<Decide<ImportedZone>> {
    if (given.source === 'zonefile') return this.zoneFiles.decideNew(zoneName, { ...requester, text: given.zoneFile });
    if (given.source === 'template') return belowFrom(this.templates.decideNew(zoneName, { ...requester, ...given }));
    const decide = this.recordSets.decideFor(requester.actor, given.changes);
    return async (zone) => withReport(await decide(zone));
  }
}

/** A request has them in its member `from`. @throws ValidationError */
async function belowFrom<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof ValidationError ? error.within('from') : error;
  }
}

function isGiven(from: ZoneContentsSource): from is GivenContents {
  return 'zoneFile' in from || 'templateId' in from || 'changes' in from;
}

/** Nothing of record sets is left out or adapted. */
function withReport(decision: ZoneDecision<undefined>): ZoneDecision<ImportedZone> {
  return { ...decision, result: { change: decision.change, notes: [], warnings: [], skippedTypes: {} } };
}
