import { decode, encode, type Answer } from 'dns-packet';

/** Of types with names in their data, which nameservers may write in lower case: RFC 4034, section 6.2. */
const WITH_NAMES: ReadonlySet<string> = new Set(['NS', 'CNAME', 'DNAME', 'PTR', 'MX', 'SRV', 'NAPTR', 'RRSIG', 'NSEC']);

/** Equal for records that are equal on the wire, whether dns-packet has decoded them or is to write them. */
export function wireKey(record: Answer): string {
  const [decoded] = decode(encode({ type: 'response', answers: [record] })).answers ?? [];
  if (!decoded || !('data' in decoded) || !('ttl' in decoded))
    throw new Error(`the record ${record.type} of ${record.name} cannot be compared`);
  const { name, type, ttl, data } = decoded;
  const text = JSON.stringify([type, ttl, data]);
  return `${name.toLowerCase()} ${WITH_NAMES.has(type) ? text.toLowerCase() : text}`;
}
