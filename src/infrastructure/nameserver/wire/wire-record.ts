import type { Answer, BufferAnswer } from 'dns-packet';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullOwnerName } from '../../../domain/dns/records/record-name';
import { typeDefinition } from '../../../domain/dns/records/types/record-types';

/** Converts a record for dns-packet. Its data is RDATA in canonical form, which dns-packet writes as it is. */
export function toWireRecord(record: DnsRecordState, zoneName: string, ttl: number): Answer {
  const { number, encode } = typeDefinition(record.type);
  return { name: fullOwnerName(record.name, zoneName), ttl, type: rawType(number), data: encode(record) };
}

/** Converts character strings for dns-packet's TXT data. */
export function txtData(strings: readonly string[]): Buffer[] {
  return strings.map((octets) => Buffer.from(octets, 'latin1'));
}

/** The name under which dns-packet writes data of any type unchanged. Its types do not know these names. */
function rawType(number: number): BufferAnswer['type'] {
  return `UNKNOWN_${number}` as BufferAnswer['type'];
}
