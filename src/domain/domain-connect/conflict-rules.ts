import type { DnsRecord } from '../dns/records/dns-record';
import { ROOT } from '../dns/records/record-name';
import type { RecordType } from '../dns/records/types/record-types';
import { isAtOrBelow } from '../shared/name-relation';
import type { FilledRecord } from './templates/resolve-template';
import type { TxtConflict } from './templates/template';

/** So that IPv4 and IPv6 do not lead to different services. */
const ADDRESSES: ReadonlySet<RecordType> = new Set(['A', 'AAAA', 'ALIAS']);
/** A service has these for itself. */
const WHOLE_SETS: ReadonlySet<RecordType> = new Set(['MX', 'SRV']);

/**
 * Whether a record of a template takes the place of a record of the zone (the draft, "Record Types and Conflicts"). Beyond the draft, a
 * CNAME record takes the place of all others at its name (RFC 1034, section 3.6.2), and DS records go with the delegation.
 * @param textOf the octets of a TXT record, as characters
 */
export function takesPlaceOf(
  { record, source }: FilledRecord,
  present: DnsRecord,
  textOf: (txt: DnsRecord) => string,
): boolean {
  if (record.type === 'NS') return isAtOrBelow(present.name, record.name);
  if (isDelegation(present)) return isAtOrBelow(record.name, present.name);
  if (record.name !== present.name) return false;
  if (record.type === 'CNAME' || present.type === 'CNAME') return true;
  if (ADDRESSES.has(record.type)) return ADDRESSES.has(present.type);
  if (record.type !== present.type) return false;
  return (
    WHOLE_SETS.has(record.type) || (record.type === 'TXT' && matchesTxt(source.txtConflict, () => textOf(present)))
  );
}

function isDelegation({ type, name }: DnsRecord): boolean {
  return (type === 'NS' || type === 'DS') && name !== ROOT;
}

function matchesTxt(conflict: TxtConflict, text: () => string): boolean {
  if (conflict.mode !== 'Prefix') return conflict.mode === 'All';
  const prefix = Buffer.from(conflict.prefix.replace(/^"/, ''), 'utf8').toString('latin1');
  return text().startsWith(prefix);
}

/** Whether two records of one template cannot stand together, although each could stand in a zone. */
export function excludes(one: DnsRecord, other: DnsRecord): boolean {
  if ((one.type === 'NS') === (other.type === 'NS')) return false;
  const [delegation, beside] = one.type === 'NS' ? [one, other] : [other, one];
  return isAtOrBelow(beside.name, delegation.name);
}
