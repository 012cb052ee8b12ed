import type { RecordType } from '../records/types/record-types';
import { DnsRecord } from '../records/dns-record';
import { isSpfText, mergeSpf } from '../mail/spf';
import { joinTxt } from '../records/text/txt-content';
import { groupedBy } from '../../shared/grouped-by';

/** Of these, a name has those of one provider: more would send traffic to the old and the new one. */
const WHOLE_SETS: ReadonlySet<RecordType> = new Set(['MX', 'SRV', 'NS', 'DNAME', 'HTTPS', 'SVCB']);
const ADDRESSES: ReadonlySet<RecordType> = new Set(['A', 'AAAA', 'ALIAS']);
/** `v=spf1`, `v=DMARC1`, `v=DKIM1`: a name has one TXT record of each. Spaces may surround the "=" (RFC 7489, section 6.4). */
const TXT_VERSION = /^v[ \t]*=[ \t]*([a-z0-9]+)(?=[; \t]|$)/i;

interface Use {
  readonly type: RecordType;
  readonly version: string | undefined;
}

function useOf(record: DnsRecord): Use {
  return { type: record.type, version: versionOf(record) };
}

/** Whether `present` must go when `added`, which has the same name, is added. */
function supersedes(added: Use, present: Use): boolean {
  // RFC 1034, section 3.6.2: a CNAME is the only record at its name.
  if (added.type === 'CNAME' || present.type === 'CNAME') return true;
  if (ADDRESSES.has(added.type) && ADDRESSES.has(present.type)) return true;
  if (added.type !== present.type) return false;
  return WHOLE_SETS.has(added.type) || (added.type === 'TXT' && added.version === (present.version ?? ''));
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

/** Can pause at every `yield`, between two records. @param present all records of the zone at the names of `added` */
export function* supersede(
  present: readonly DnsRecord[],
  added: readonly DnsRecord[],
): Generator<void, Superseding, void> {
  const presentAt = groupedBy(present, ({ name }) => name);
  const usesAt = new Map<string, Use[]>();
  const wanted: DnsRecord[] = [];
  const identities = new Set<string>();
  for (const record of added) {
    yield;
    usesAt.set(record.name, [...(usesAt.get(record.name) ?? []), useOf(record)]);
    const merged = mergedSpf(presentAt.get(record.name) ?? [], record);
    wanted.push(merged);
    identities.add(merged.identity());
  }
  const superseded: DnsRecord[] = [];
  for (const record of present) {
    yield;
    const use = useOf(record);
    const isReplaced = usesAt.get(record.name)?.some((each) => supersedes(each, use)) ?? false;
    if (isReplaced || identities.has(record.identity())) superseded.push(record);
  }
  return { superseded, wanted };
}

/** @param present the records at its name */
function mergedSpf(present: readonly DnsRecord[], record: DnsRecord): DnsRecord {
  const state = record.toState();
  const text = record.type === 'TXT' ? joinTxt(state.content) : '';
  if (!isSpfText(text)) return record;
  const content = present
    .filter(({ type }) => type === 'TXT')
    .map((each) => joinTxt(each.toState().content))
    .filter(isSpfText)
    .reduce((merged, each) => mergeSpf(each, merged), text);
  return content === text ? record : DnsRecord.fromState({ ...state, content });
}
