import { addressRecords } from '../../../../domain/dns/alias/alias-addresses';
import type { DnsRecordState } from '../../../../domain/dns/records/dns-record';
import { parseAddresses } from '../aliases/alias-rows';
import { toRecordState } from '../sql-zone-reader';
import type { RecordRow } from '../dns-tables';

/** A record; with the JSON of its addresses if it is an ALIAS record. */
export type PublishedRow = RecordRow & { readonly addresses: string | null };

/** A subquery, because a join would look up every record among the aliases. */
export function addressesOf(records: string): string {
  return `CASE WHEN ${records}.type = 'ALIAS' THEN (SELECT a.addresses FROM aliases a WHERE a.domain_id = ${records}.domain_id AND a.name = ${records}.name) END AS addresses`;
}

/** In place of an ALIAS record, a zone has its addresses. `A` and `AAAA` sort like `ALIAS`, and no other record comes between them. */
export function toPublished(row: PublishedRow): readonly DnsRecordState[] {
  const record = toRecordState(row);
  return row.type === 'ALIAS' ? addressRecords(record, parseAddresses(row.addresses ?? '{}')) : [record];
}
