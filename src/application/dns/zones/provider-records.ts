import { isApexNs } from '../../../domain/dns/delegation/apex-ns';
import { delegationOf } from '../../../domain/dns/delegation/delegation';
import { MAX_NOTES, type LineNote } from '../../../domain/dns/zone-file/read-zone-file';
import type { DnsRecord } from '../../../domain/dns/records/dns-record';
import { ROOT } from '../../../domain/dns/records/record-name';
import { isOfSigner } from '../../../domain/dns/zone-rules';
import { isOfOtherProvider } from '../../../domain/dns/zone-warnings';
import type { CurrentZone } from './zone-loader';
import type { ReadZoneText } from './zone-files/zone-text-reader';

/**
 * Leaves out what another DNS provider's zone has for itself: NS records at the apex, but for those of a delegation to `ours`, and the
 * keys of its signer. Such records that the zone has already stay.
 */
export async function withoutProviderRecords(
  { delegation, recordsAt }: Pick<CurrentZone, 'delegation' | 'recordsAt'>,
  read: ReadZoneText,
  ours: readonly string[],
): Promise<ReadZoneText> {
  const own = delegationOf(delegation, ours) === 'elsewhere' ? [] : delegation;
  const found = read.records.filter(
    (record) => isOfOtherProvider(record, own) || isOfSigner(record) || isSigningState(record),
  );
  if (found.length === 0) return read;
  const present = new Set((await recordsAt([ROOT])).map((record) => record.identity()));
  const leftOut = new Set(found.filter((record) => !present.has(record.identity())));
  const noted = [...leftOut].filter((record) => !isApexNs(record) || isOfOtherProvider(record, delegation));
  const notes = noted.map((record) => noteOn(record, read.lineOf.get(record.identity()) ?? 1));
  return {
    ...read,
    records: read.records.filter((record) => !leftOut.has(record)),
    notes: [...read.notes, ...notes].toSorted((one, other) => one.line - other.line).slice(0, MAX_NOTES),
    warnings: [...read.warnings, ...leftOutNameservers(noted, delegation)],
  };
}

/** In which BIND notes what it has signed. */
function isSigningState({ name, type }: DnsRecord): boolean {
  return name === ROOT && type === 'TYPE65534';
}

function noteOn(record: DnsRecord, line: number): LineNote {
  const reason =
    record.type === 'NS'
      ? `${record.toState().content} is not a nameserver of the domain`
      : "it belongs to another provider's signer";
  return { line, note: `skipped: ${record.type} at the apex, because ${reason}` };
}

function leftOutNameservers(leftOut: readonly DnsRecord[], delegation: readonly string[]): readonly string[] {
  const hosts = leftOut.filter(({ type }) => type === 'NS').map((record) => record.toState().content);
  return hosts.length === 0
    ? []
    : [
        `The NS records at the apex for ${hosts.join(', ')} were left out: the domain is delegated to ${delegation.join(', ')}. Ask for the records of other providers if both are to serve the domain`,
      ];
}
