import type { DnsRecord } from '../records/dns-record';
import { ROOT } from '../records/record-name';
import type { RecordType } from '../records/types/record-types';

const TYPES: readonly RecordType[] = ['DNSKEY', 'CDS', 'CDNSKEY'];

/**
 * Whether only the signer of a zone publishes the record: its keys, and what DS records the parent is to have (RFC 7344). A second
 * DNSKEY RRset would make the zone bogus.
 */
export function isOfSigner({ name, type }: Pick<DnsRecord, 'name' | 'type'>): boolean {
  return name === ROOT && TYPES.includes(type);
}
