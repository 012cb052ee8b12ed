import { inject, injectable } from '../ports/inject';
import { ItemsRejected, type ItemError } from '../../domain/dns/dns-errors';
import { typesOf, withUpdateTypes } from '../../domain/dns/records/types/record-types';
import type { DesiredRecords } from '../../domain/portfolio/desired-state';
import { ValidationError } from '../../domain/shared/validation-error';
import { ZoneLimitSettings } from '../dns/dns-settings';
import { readZoneFile } from '../dns/zones/zone-files/zone-file-records';
import { runCooperatively } from '../shared/run-cooperatively';

/** Reads a zone file (RFC 1035) as the records of a state. SOA and what a zone file import leaves out are left out. */
@injectable()
export class ZoneFileState {
  constructor(@inject(ZoneLimitSettings) private readonly limits: ZoneLimitSettings) {}

  /** @throws ItemsRejected with every invalid line */
  async read(zoneName: string, text: string, accountId: string): Promise<Omit<DesiredRecords, 'owner'>> {
    const types = withUpdateTypes(typesOf(zoneName, this.limits.types));
    const { records, errors } = await runCooperatively(
      readZoneFile(text, zoneName, this.limits.recordsPerZone, types),
      accountId,
    );
    const [first, ...others] = errors.map(({ line, message }): ItemError => ({
      place: `line ${line}`,
      error: new ValidationError([{ path: '', message }]),
    }));
    if (first) throw new ItemsRejected([first, ...others]);
    if (records.length === 0) throw ValidationError.of('', 'The zone file has no records of this zone');
    const placeOf = (index: number) => `line ${records[index]?.line ?? 0}`;
    return { records: records.map(({ draft }) => draft), placeOf };
  }
}
