import { inject, injectable } from 'inversify';
import { DnsRecord } from '../../domain/dns/dns-record';
import { readZoneFile, type LineNote, type ZoneFileReading } from '../../domain/dns/zone-file/read-zone-file';
import { assertZoneSize } from '../../domain/dns/zone-rules';
import { ValidationError } from '../../domain/shared/validation-error';
import { Clock } from '../ports/system/clock';
import { IdGenerator } from '../ports/system/id-generator';
import type { ZoneChange } from '../ports/dns/zone-repository';
import { zoneFileRecords } from './zone-file-records';
import type { Alongside } from '../ports/storage/unit-of-work';
import type { ZonePlan } from './zone-plan';
import { replacement } from './zone-replacement';
import type { Decide, ZoneRequest } from './zone-request';
import { ZoneLimitSettings } from './zone-limit-settings';
import { ZoneWriter, type Written } from './zone-writer';

export interface ImportZoneFileCommand extends ZoneRequest {
  readonly text: string;
}

export interface ImportedZone {
  readonly change: ZoneChange;
  /** What of the file was left out or adapted. */
  readonly notes: readonly LineNote[];
  readonly skippedTypes: ZoneFileReading['skippedTypes'];
}

/**
 * Makes the zone what a zone file says: all of it or nothing, in one version, and no more is touched than differs.
 * @throws what `ZoneWriter` throws, ItemsRefused naming every faulty line
 */
@injectable()
export class ImportZoneFile {
  constructor(
    @inject(ZoneWriter) private readonly zones: ZoneWriter,
    @inject(IdGenerator) private readonly ids: IdGenerator,
    @inject(Clock) private readonly clock: Clock,
    @inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings,
  ) {}

  async execute(command: ImportZoneFileCommand, alongside?: Alongside<Written<ImportedZone>>): Promise<Written<ImportedZone>> {
    return this.zones.write(command, this.importing(command), alongside);
  }

  async plan(command: ImportZoneFileCommand): Promise<ZonePlan<ImportedZone>> {
    return this.zones.plan(command, this.importing(command));
  }

  private importing({ text }: ImportZoneFileCommand): Decide<ImportedZone> {
    return async ({ zoneName, delegation, past }) => {
      const now = this.clock.now();
      const current = await (await past()).records();
      const reading = readZoneFile(text, zoneName);
      assertSomething(reading);
      assertZoneSize({ before: current.length, after: reading.records.length }, this.limits);
      const file = zoneFileRecords(reading, (draft) => DnsRecord.create(draft, zoneName, this.ids.next('rec'), now));
      const change = replacement(current, file.records, delegation, now);
      const places = placesOf(change, file.lineOf);
      const notes = [...reading.notes, ...file.repetitions].toSorted((one, other) => one.line - other.line);
      return { change, placeOf: (recordId) => places.get(recordId), result: { change, notes, skippedTypes: reading.skippedTypes } };
    };
  }
}

/** A file that was sent by mistake must not empty the zone. @throws ValidationError */
function assertSomething({ records, faults, skippedTypes }: ZoneFileReading): void {
  const isEmpty = records.length + faults.length + Object.keys(skippedTypes).length === 0;
  if (isEmpty) throw new ValidationError([{ field: '', problem: 'The zone file has no records of this zone' }]);
}

/** Where the file has each record that the change writes, by the record's id. */
function placesOf({ added, changed }: ZoneChange, lineOf: ReadonlyMap<string, number>): ReadonlyMap<string, string> {
  const written = [...added, ...changed.map(({ after }) => after)];
  return new Map(written.map((record) => [record.id, `line ${lineOf.get(record.identity())}`]));
}
