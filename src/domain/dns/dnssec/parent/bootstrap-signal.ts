import { DnsRecord } from '../../records/dns-record';
import { MAX_NAME_LENGTH } from '../../records/record-name';
import type { SubZone } from '../../delegation/sub-zone';
import { zoneIdOf } from '../../zone-id';
import { RR_TYPE } from '../rr-types';
import type { NamedRrset } from '../signed-content';

/** RFC 9615, section 2.2: where the operator of a nameserver tells the parent of a zone what it asks for. Undefined if it would be too long. */
export function signalName(zoneName: string, nameserver: string): string | undefined {
  const name = `_dsboot.${zoneName}._signal.${nameserver}`;
  return name.length <= MAX_NAME_LENGTH ? name : undefined;
}

/** The CDS and CDNSKEY records of a zone as another zone, `holder`, has them at `owner`. @param newId of a record */
export function bootstrapRecords(
  holder: string,
  { zone, owner }: { readonly zone: Pick<SubZone, 'id'>; readonly owner: string },
  contents: readonly NamedRrset[],
  newId: () => string,
  now: Date,
): readonly DnsRecord[] {
  const managedBy = zoneIdOf(zone.id);
  return contents.flatMap(({ type, ttl, rdata }) =>
    rdata.map((octets) => {
      const isCds = type === RR_TYPE.CDS;
      const draft = { type: isCds ? 'CDS' : 'CDNSKEY', name: owner, content: textOf(octets, isCds), ttl, managedBy };
      return DnsRecord.create(draft, holder, newId(), now, ['CDS', 'CDNSKEY']);
    }),
  );
}

/** RFC 7344: both have two octets, two numbers of one octet, and a digest or a key. */
function textOf(octets: Buffer, isCds: boolean): string {
  const rest = octets.subarray(4).toString(isCds ? 'hex' : 'base64');
  return [octets.readUInt16BE(0), octets[2], octets[3], isCds ? rest.toUpperCase() : rest].join(' ');
}
