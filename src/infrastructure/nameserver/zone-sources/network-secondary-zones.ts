import type { SecondaryZones } from '../../../application/ports/dns/secondary-zones';
import type { FoundZone } from '../../../application/ports/dns/zone-sources';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import { endpointText, type Secondary } from '../../../domain/dns/secondary';
import type { TsigKey } from '../../../domain/dns/tsig-key';
import { query, rcodeOf } from './dns-query';
import { transferRecords, transferZone } from './zone-transfer';

const MAX_MEMBERS = 2_000_000;
const SERVER_FAILURE = 2;

/** Asks the secondaries that the operator has configured, whatever their addresses. */
export class NetworkSecondaryZones implements SecondaryZones {
  constructor(
    private readonly catalogZone: string,
    private readonly types: readonly WritableType[],
  ) {}

  async members({ endpoint }: Secondary, tsig: TsigKey | undefined): Promise<readonly string[]> {
    const names = new Set<string>();
    const suffix = `.zones.${this.catalogZone}`;
    const request = { zoneName: this.catalogZone, nameserver: endpointText(endpoint), tsig };
    await transferRecords(request, endpoint, (record) => {
      if (record.type === 'PTR' && record.name.toLowerCase().endsWith(suffix)) names.add(record.data.toLowerCase());
      return names.size <= MAX_MEMBERS;
    });
    return [...names];
  }

  async serial({ endpoint }: Secondary, zoneName: string): Promise<number | 'no response' | undefined> {
    const response = await query(endpoint, { name: zoneName, type: 'SOA' });
    // SERVFAIL: the zone is configured, and not loaded yet or expired.
    if (!response || rcodeOf(response) === SERVER_FAILURE) return 'no response';
    const soa = response.answers?.find(({ name, type }) => type === 'SOA' && name.toLowerCase() === zoneName);
    return soa?.type === 'SOA' ? soa.data.serial : undefined;
  }

  zone({ endpoint }: Secondary, zoneName: string, tsig: TsigKey | undefined): Promise<FoundZone> {
    return transferZone({ zoneName, nameserver: endpointText(endpoint), tsig }, endpoint, this.types);
  }
}
