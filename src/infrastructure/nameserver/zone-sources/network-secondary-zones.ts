import type { PublishedZones, SecondaryDirectory, SecondaryZones } from '../../../application/ports/dns/publishing';
import type { FoundZone } from '../../../application/ports/dns/other-nameservers';
import type { WritableType } from '../../../domain/dns/records/types/record-types';
import { endpointText, type Secondary } from '../../../domain/dns/secondaries/secondary';
import type { TsigKey } from '../../../domain/dns/secondaries/tsig-key';
import { isSerialRecord, zoneRrsets } from '../zone-rrsets';
import { query, rcodeOf } from './dns-query';
import { FoundZoneWriter } from './found-zone';
import { transferRecords } from './zone-transfer';
import { decode, encode, type Answer } from 'dns-packet';

const MAX_MEMBERS = 2_000_000;
const SERVER_FAILURE = 2;

interface NetworkSecondaryZonesParts {
  readonly catalogZone: string;
  readonly types: readonly WritableType[];
  readonly zones: Pick<PublishedZones, 'withSnapshot'>;
  readonly directory: Pick<SecondaryDirectory, 'all'>;
}

/** Asks the secondaries that the operator has configured, whatever their addresses. */
export class NetworkSecondaryZones implements SecondaryZones {
  constructor(private readonly parts: NetworkSecondaryZonesParts) {}

  async members({ endpoint }: Secondary, tsig: TsigKey | undefined): Promise<readonly string[]> {
    const names = new Set<string>();
    const { catalogZone } = this.parts;
    const suffix = `.zones.${catalogZone}`;
    const request = { zoneName: catalogZone, nameserver: endpointText(endpoint), tsig };
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

  async differs({ endpoint }: Secondary, zoneName: string, tsig: TsigKey | undefined): Promise<boolean> {
    const { directory, zones } = this.parts;
    const theirs = new Set<string>();
    await transferRecords({ zoneName, nameserver: endpointText(endpoint), tsig }, endpoint, (record) => {
      // The serial is compared, and the rest of the SOA record comes from settings.
      if (record.type !== 'SOA') theirs.add(wireKey(record));
      return true;
    });
    const withSerialRecord = (await directory.all()).some(({ signs }) => signs);
    return zones.withSnapshot(zoneName, async (zone) => {
      if (!zone) return true;
      const ours = new Set<string>();
      for await (const rrset of zoneRrsets(zone, { withSerialRecord }))
        for (const record of rrset) ours.add(wireKey(record));
      return ours.size !== theirs.size || [...ours].some((key) => !theirs.has(key));
    });
  }

  async zone({ endpoint }: Secondary, zoneName: string, tsig: TsigKey | undefined): Promise<FoundZone> {
    const zone = new FoundZoneWriter(zoneName, this.parts.types);
    let serial = 0;
    await transferRecords({ zoneName, nameserver: endpointText(endpoint), tsig }, endpoint, (record) => {
      if (record.type === 'SOA') serial = record.data.serial ?? 0;
      return isSerialRecord(record, zoneName, serial) || zone.add(record);
    });
    return zone.finish();
  }
}

/** Of types with names in their data, which nameservers may write in lower case: RFC 4034, section 6.2. */
const WITH_NAMES: ReadonlySet<string> = new Set(['NS', 'CNAME', 'DNAME', 'PTR', 'MX', 'SRV', 'NAPTR', 'RRSIG', 'NSEC']);

/** Equal for records that are equal on the wire, whether dns-packet has decoded them or is to write them. */
function wireKey(record: Answer): string {
  const [decoded] = decode(encode({ type: 'response', answers: [record] })).answers ?? [];
  if (!decoded || !('data' in decoded) || !('ttl' in decoded))
    throw new Error(`the record ${record.type} of ${record.name} cannot be compared`);
  const { name, type, ttl, data } = decoded;
  const text = JSON.stringify([type, ttl, data]);
  return `${name.toLowerCase()} ${WITH_NAMES.has(type) ? text.toLowerCase() : text}`;
}
