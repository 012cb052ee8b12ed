import type { Answer, CaaData } from 'dns-packet';
import { parseCharacterStrings } from '../../../domain/dns/records/character-string';
import type { DnsRecordState } from '../../../domain/dns/records/dns-record';
import { fullName } from '../../../domain/dns/records/record-name';
import type { RecordType } from '../../../domain/dns/records/record-rules';
import { parseTxt } from '../../../domain/dns/records/txt-content';

type TypeAndData<A> = A extends { readonly type: infer T; readonly data: infer D }
  ? { readonly type: T; readonly data: D }
  : never;
type Data = TypeAndData<Answer>;

/** Converts a record for dns-packet. */
export function toWireRecord(record: DnsRecordState, zoneName: string, ttl: number): Answer {
  return { name: fullName(record.name, zoneName), ttl, ...DATA[record.type](record) };
}

/** Converts character strings for dns-packet's TXT data. */
export function txtData(strings: readonly string[]): Buffer[] {
  return strings.map((octets) => Buffer.from(octets, 'latin1'));
}

const DATA: Record<RecordType, (record: DnsRecordState) => Data> = {
  A: ({ content }) => ({ type: 'A', data: content }),
  AAAA: ({ content }) => ({ type: 'AAAA', data: content }),
  CNAME: ({ content }) => ({ type: 'CNAME', data: content }),
  MX: ({ content, priority }) => ({ type: 'MX', data: { preference: priority ?? 0, exchange: content } }),
  TXT: ({ content }) => ({ type: 'TXT', data: txtData(parseTxt(content) ?? []) }),
  NS: ({ content }) => ({ type: 'NS', data: content }),
  SRV: ({ content, priority, weight, port }) => ({
    type: 'SRV',
    data: { priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, target: content },
  }),
  CAA: ({ content }) => ({ type: 'CAA', data: caaData(content) }),
  DHCID: ({ content }) => ({ type: 'DHCID', data: Buffer.from(content, 'base64') }),
};

/** dns-packet supports more tags than its types list. */
function caaData(content: string): CaaData {
  const [flags, tag, value] = (parseCharacterStrings(content) ?? []).map(({ octets }) => octets);
  return { flags: Number(flags), tag: tag as CaaData['tag'], value: value ?? '' };
}
