import { AddRecord } from '../../src/application/dns/add-record';
import { ChangeRecord } from '../../src/application/dns/change-record';
import { ListRecords } from '../../src/application/dns/list-records';
import { PublicationWait } from '../../src/application/dns/publication-wait';
import { RemoveRecord } from '../../src/application/dns/remove-record';
import { ZoneWriter } from '../../src/application/dns/zone-writer';
import { DEFAULT_ZONE_LIMITS, type ZoneLimits } from '../../src/domain/dns/zone-rules';
import type { Surroundings } from './surroundings';

export interface DnsUseCases {
  readonly addRecord: AddRecord;
  readonly changeRecord: ChangeRecord;
  readonly removeRecord: RemoveRecord;
  readonly listRecords: ListRecords;
}

export function dnsUseCases({ storage, clock, ids, publisher }: Surroundings, limits: ZoneLimits = DEFAULT_ZONE_LIMITS): DnsUseCases {
  const zones = new ZoneWriter(storage.domains, storage, clock, limits, { days: 90, versions: 100 }, publisher, new PublicationWait(publisher, 200));
  return {
    addRecord: new AddRecord(zones, ids, clock),
    changeRecord: new ChangeRecord(zones, clock),
    removeRecord: new RemoveRecord(zones),
    listRecords: new ListRecords(storage.domains, storage.records),
  };
}
