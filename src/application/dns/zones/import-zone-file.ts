import { inject, injectable } from 'inversify';
import { includesType, withUpdateTypes } from '../../../domain/dns/records/types/record-types';
import { DnsRecord } from '../../../domain/dns/records/dns-record';
import { MAX_NOTES, type LineNote, type ZoneFileReading } from '../../../domain/dns/zone-file/read-zone-file';
import { assertZoneSize } from '../../../domain/dns/zone-rules';
import { ValidationError } from '../../../domain/shared/validation-error';
import { Clock } from '../../ports/system/clock';
import { IdGenerator } from '../../ports/system/id-generator';
import { requireDomain } from '../../access/require-domain';
import { RecordReader, type ZoneChange } from '../../ports/dns/zone-repository';
import { DomainReader } from '../../ports/registration/domain-repository';
import { runCooperatively } from '../../run-cooperatively';
import { zoneFileRecords, type ZoneFileRecords, readZoneFile } from './zone-file-records';
import type { TransactionHook } from '../../ports/storage/unit-of-work';
import type { ZonePlan } from './zone-plan';
import { replacement } from './zone-replacement';
import type { Decide, ZoneRequest } from './zone-request';
import { ZoneLimitSettings } from '../dns-settings';
import { ZoneWriter, type Written } from './zone-writer';

export interface ImportZoneFileCommand extends ZoneRequest {
  /** In pieces of any length, read once. */
  readonly text: string | Iterable<string>;
}

export interface ImportedZone {
  readonly change: ZoneChange;
  /** What of the file was left out or adapted: the first thousand lines of that. */
  readonly notes: readonly LineNote[];
  readonly skippedTypes: ZoneFileReading['skippedTypes'];
}

/**
 * Replaces a zone by a zone file: all or nothing, in one version, and only what differs is changed.
 * @throws what `ZoneWriter` throws, ItemsRejected naming every faulty line
 */
@injectable()
export class ImportZoneFile {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(DomainReader) private readonly domains: DomainReader,
    @inject(RecordReader) private readonly records: RecordReader,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  async execute(
    command: ImportZoneFileCommand,
    alongside?: TransactionHook<Written<ImportedZone>>,
  ): Promise<Written<ImportedZone>> {
    return this.zones.write(command, await this.importing(command), alongside);
  }

  async plan(command: ImportZoneFileCommand): Promise<ZonePlan<ImportedZone>> {
    return this.zones.plan(command, await this.importing(command));
  }

  /** The file is read and judged before the zone is locked: that takes the longest and depends on no neighbor. */
  private async importing(command: ImportZoneFileCommand): Promise<Decide<ImportedZone>> {
    const { records, lineOf, notes, skippedTypes } = await this.read(command);
    const types = withUpdateTypes(this.limits.types);
    return async ({ delegation, past }) => {
      // Records of types that are switched off stay as they are.
      const current = (await (await past()).records()).filter(({ type }) => includesType(types, type));
      const change = await runCooperatively(replacement(current, records, delegation, this.clock.now()));
      const places = placesOf(change, lineOf);
      return { change, placeOf: (recordId) => places.get(recordId), result: { change, notes, skippedTypes } };
    };
  }

  private async read({
    accountId,
    actor,
    domainId,
    text,
  }: ImportZoneFileCommand): Promise<ZoneFileRecords & Pick<ImportedZone, 'notes' | 'skippedTypes'>> {
    const domain = requireDomain(await this.domains.find(accountId, domainId), { actor }, 'write');
    domain.assertAllows('change DNS records');
    const { name: zoneName } = domain.toState();
    const before = (await this.records.find(domainId))?.recordCount ?? 0;
    const types = withUpdateTypes(this.limits.types);
    const maxRecords = Math.max(before, this.limits.recordsPerZone);
    const reading = await runCooperatively(readZoneFile(text, zoneName, maxRecords, types));
    assertSomething(reading);
    assertZoneSize({ before, after: reading.records.length }, this.limits);
    const now = this.clock.now();
    const file = await runCooperatively(
      zoneFileRecords(reading, (draft) => DnsRecord.create(draft, zoneName, this.ids.next('rec'), now, types)),
    );
    const notes = [...reading.notes, ...file.repetitions]
      .toSorted((one, other) => one.line - other.line)
      .slice(0, MAX_NOTES);
    return { ...file, notes, skippedTypes: reading.skippedTypes };
  }
}

/** A file that was sent by mistake must not empty the zone. @throws ValidationError */
function assertSomething({ records, errors, skippedTypes }: ZoneFileReading): void {
  const isEmpty = records.length + errors.length + Object.keys(skippedTypes).length === 0;
  if (isEmpty) throw new ValidationError([{ path: '', message: 'The zone file has no records of this zone' }]);
}

/** Where the file has each record that the change writes, by the record's id. */
function placesOf({ added, changed }: ZoneChange, lineOf: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const written = [...added, ...changed.map(({ after }) => after)];
  return new Map(written.map((record) => [record.id, `line ${lineOf.get(record.identity())}`]));
}
