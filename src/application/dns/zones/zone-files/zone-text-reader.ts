import { inject, injectable } from '../../../ports/inject';
import type { Requester } from '../../../../domain/access/actor';
import { DEFAULT_TTL, DnsRecord } from '../../../../domain/dns/records/dns-record';
import { typesOf, withUpdateTypes } from '../../../../domain/dns/records/types/record-types';
import { MAX_NOTES, type LineNote, type ZoneFileReading } from '../../../../domain/dns/zone-file/read-zone-file';
import { assertZoneSize } from '../../../../domain/dns/zone-rules';
import { ValidationError } from '../../../../domain/shared/validation-error';
import { requireChangeableName } from '../../../access/require-domain';
import { RecordReader } from '../../../ports/dns/zone-queries';
import { HostedNameReader } from '../../../ports/dns/hosted-names';
import { Clock, IdGenerator } from '../../../ports/system';
import { runCooperatively } from '../../../shared/run-cooperatively';
import { ZoneLimitSettings } from '../../dns-settings';
import { zoneFileRecords, type ZoneFileRecords, readZoneFile } from './zone-file-records';

/** A text of zone file lines for a zone. */
interface ZoneText {
  readonly requester: Requester;
  /** In pieces of any length, read once; or computed from the zone's name. */
  readonly text: string | Iterable<string> | ((zoneName: string) => string);
  /** The text is the whole zone: its size is checked before its records, and its TTLs must be given. */
  readonly isWholeZone: boolean;
}

export interface ReadZoneText extends ZoneFileRecords {
  /** What of the text was left out or adapted: the first thousand lines of that. */
  readonly notes: readonly LineNote[];
  /** What is read as the standard says, but was probably not meant so. */
  readonly warnings: readonly string[];
  readonly skippedTypes: ZoneFileReading['skippedTypes'];
}

/**
 * Reads and validates zone file lines before the zone is locked: that takes the longest and depends on no neighbor.
 * @throws DomainNotFound, DomainStatusConflict, LimitedKey, LimitExceeded, ValidationError, ItemsRejected with every invalid line
 */
@injectable()
export class ZoneTextReader {
  constructor(
    @inject(HostedNameReader) private readonly names: HostedNameReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  async read({ domainId, ...text }: ZoneText & { readonly domainId: string }): Promise<ReadZoneText> {
    const { accountId, actor } = text.requester;
    const found = await this.names.find(accountId, domainId);
    const { name } = requireChangeableName(found, { actor });
    return this.readFor(name, text, (await this.records.find(domainId))?.recordCount ?? 0);
  }

  /** For a zone of that name. @param before the number of records that it has */
  async readFor(zoneName: string, { requester, text, isWholeZone }: ZoneText, before = 0): Promise<ReadZoneText> {
    const { accountId } = requester;
    const types = withUpdateTypes(typesOf(zoneName, this.limits.types));
    const maxRecords = Math.max(before, this.limits.recordsPerZone);
    const lines = typeof text === 'function' ? text(zoneName) : text;
    const assumedTtl = isWholeZone ? undefined : DEFAULT_TTL;
    const reading = await runCooperatively(readZoneFile(lines, zoneName, maxRecords, types, assumedTtl), accountId);
    assertSomething(reading);
    if (isWholeZone) assertZoneSize({ before, after: reading.records.length }, this.limits);
    const now = this.clock.now();
    const file = await runCooperatively(
      zoneFileRecords(reading, (draft) => DnsRecord.create(draft, zoneName, this.ids.next('rec'), now, types)),
      accountId,
    );
    const notes = [...reading.notes, ...file.repetitions]
      .toSorted((one, other) => one.line - other.line)
      .slice(0, MAX_NOTES);
    const warnings = reading.warnings.map(({ line, note }) => `line ${line}: ${note}`);
    return { ...file, notes, warnings, skippedTypes: reading.skippedTypes };
  }
}

/** A file that was sent by mistake must not empty the zone. @throws ValidationError */
function assertSomething({ records, errors, skippedTypes }: ZoneFileReading): void {
  const isEmpty = records.length + errors.length + Object.keys(skippedTypes).length === 0;
  if (isEmpty) throw new ValidationError([{ path: '', message: 'The zone file has no records of this zone' }]);
}
