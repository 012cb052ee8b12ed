import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import type { ZoneChange } from '../../ports/dns/zone-repository';

/** The row of a change without its records, with its share of indexes. */
const CHANGE_BYTES = 150;
/** A stored record without its name and content. */
const RECORD_BYTES = 190;

/** About how many bytes of storage the history of a zone takes for a change. */
export function historyBytesOf({ added, changed, removed }: ZoneChange): number {
  let bytes = CHANGE_BYTES;
  for (const record of added) bytes += bytesOf(record);
  for (const { before, after } of changed) bytes += bytesOf(before) + bytesOf(after);
  for (const record of removed) bytes += bytesOf(record);
  return bytes;
}

function bytesOf(record: DnsRecord): number {
  const { name, content } = record.toState();
  return RECORD_BYTES + name.length + content.length;
}
