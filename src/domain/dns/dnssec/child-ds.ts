import type { DnsRecord } from '../records/dns-record';
import { ROOT } from '../records/record-name';

/** Whether it is a CDS or CDNSKEY record at the apex, which tells the parent what DS records to have (RFC 7344). */
export function isChildDs({ name, type }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return name === ROOT && (type === 'CDS' || type === 'CDNSKEY');
}
