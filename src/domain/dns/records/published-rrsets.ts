import { groupedBy } from '../../shared/grouped-by';
import { RR_TYPE } from '../dnssec/rr-types';
import type { NamedRrset } from '../dnssec/signed-content';
import { apexNsOf, isApexNs } from '../delegation/apex-ns';
import type { DnsRecordState } from './dns-record';
import { ROOT } from './record-name';
import { writeName } from './types/rdata/wire-name';
import { typeDefinition } from './types/record-types';

/** The RRsets that are published of these records, by relative name; at the apex with the delegation. */
export function publishedRrsets(
  zone: { readonly nameservers: readonly string[] },
  records: readonly DnsRecordState[],
): ReadonlyMap<string, readonly NamedRrset[]> {
  const rrsets = new Map<string, NamedRrset[]>();
  const { ttl, hosts } = apexNsOf(zone, records.filter(isApexNs));
  rrsets.set(ROOT, [{ type: RR_TYPE.NS, ttl, rdata: hosts.map(writeName) }]);
  const others = records.filter((record) => !isApexNs(record));
  for (const set of groupedBy(others, ({ name, type }) => `${name} ${type}`).values()) {
    const { name, type } = set[0] as DnsRecordState;
    const { number, encode } = typeDefinition(type);
    const rrset = {
      type: number,
      ttl: Math.min(...set.map((record) => record.ttl)),
      rdata: set.map((record) => encode(record)),
    };
    const sameName = rrsets.get(name);
    if (sameName) sameName.push(rrset);
    else rrsets.set(name, [rrset]);
  }
  return rrsets;
}
