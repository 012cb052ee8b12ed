import type { RecordType } from '../records/types/record-types';
import { DnsRecord } from '../records/dns-record';
import { isSpfText, mergeSpf } from '../mail/spf';
import { joinTxt } from '../records/txt-content';

/** Of these, a name has those of one provider: more would send traffic to the old and the new one. */
const WHOLE_SETS: ReadonlySet<RecordType> = new Set(['MX', 'SRV', 'NS', 'DNAME', 'HTTPS', 'SVCB']);
const ADDRESSES: ReadonlySet<RecordType> = new Set(['A', 'AAAA', 'ALIAS']);
/** `v=spf1`, `v=DMARC1`, `v=DKIM1`: a name has one TXT record of each. Spaces may surround the "=" (RFC 7489, section 6.4). */
const TXT_VERSION = /^v[ \t]*=[ \t]*([a-z0-9]+)(?=[; \t]|$)/i;

/** Whether `present` must go when `added`, which has the same name, is added. */
function supersedes(added: DnsRecord, present: DnsRecord): boolean {
  // RFC 1034, section 3.6.2: a CNAME is the only record at its name.
  if (added.type === 'CNAME' || present.type === 'CNAME') return true;
  if (ADDRESSES.has(added.type) && ADDRESSES.has(present.type)) return true;
  if (added.type !== present.type) return false;
  return WHOLE_SETS.has(added.type) || (added.type === 'TXT' && versionOf(added) === (versionOf(present) ?? ''));
}

/** What a TXT record is for, if it says so. */
export function versionOf(record: DnsRecord): string | undefined {
  return record.type === 'TXT' ? TXT_VERSION.exec(joinTxt(record.toState().content))?.[1]?.toLowerCase() : undefined;
}

/** Records of a zone that make way for new ones, and the new ones: an SPF record is merged with the present one. */
interface Superseding {
  readonly superseded: readonly DnsRecord[];
  readonly wanted: readonly DnsRecord[];
}

/** @param present all records of the zone at the names of `added` */
export function supersede(present: readonly DnsRecord[], added: readonly DnsRecord[]): Superseding {
  const wanted = added.map((record) => mergedSpf(present, record));
  const identities = new Set(wanted.map((record) => record.identity()));
  const superseded = present.filter(
    (record) =>
      identities.has(record.identity()) || added.some((each) => each.name === record.name && supersedes(each, record)),
  );
  return { superseded, wanted };
}

function mergedSpf(present: readonly DnsRecord[], record: DnsRecord): DnsRecord {
  const state = record.toState();
  const text = record.type === 'TXT' ? joinTxt(state.content) : '';
  if (!isSpfText(text)) return record;
  const content = present
    .filter((each) => each.name === record.name && each.type === 'TXT')
    .map((each) => joinTxt(each.toState().content))
    .filter(isSpfText)
    .reduce((merged, each) => mergeSpf(each, merged), text);
  return content === text ? record : DnsRecord.fromState({ ...state, content });
}
