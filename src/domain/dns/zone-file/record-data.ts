import type { RecordDraft } from '../records/dns-record';
import type { RecordType } from '../records/record-rules';
import type { Token } from './zone-file-entries';

/** The data does not have the format of its record type. The message is shown to the user. */
export class InvalidRecordData extends Error {}

type DraftData = Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'>;
type AbsoluteName = (name: Token) => string;

/** Presentation formats: RFC 1035, section 3.3; RFC 2782; RFC 8659, section 4.1.1; RFC 4701. */
const DATA: Readonly<Record<RecordType, (data: readonly Token[], absolute: AbsoluteName) => DraftData>> = {
  A: (data) => ({ content: single(data, 'an address') }),
  AAAA: (data) => ({ content: single(data, 'an address') }),
  CNAME: (data, absolute) => ({ content: absolute(fields(data, 1, 'a name')[0]) }),
  NS: (data, absolute) => ({ content: absolute(fields(data, 1, 'a name')[0]) }),
  MX: (data, absolute) => {
    const [priority, host] = fields(data, 2, 'a priority and a name');
    return { priority: sixteenBits(priority), content: absolute(host ?? priority) };
  },
  SRV: (data, absolute) => {
    const [priority, weight = priority, port = priority, host = priority] = fields(
      data,
      4,
      'a priority, a weight, a port and a name',
    );
    return {
      priority: sixteenBits(priority),
      weight: sixteenBits(weight),
      port: sixteenBits(port),
      content: absolute(host),
    };
  },
  TXT: (data) => ({ content: data.map(quoted).join(' ') }),
  CAA: (data) => {
    const [flags, tag = flags, value = flags] = fields(data, 3, 'flags, a tag and a value');
    return { content: `${bare(flags)} ${bare(tag)} ${quoted(value)}` };
  },
  DHCID: (data) => ({ content: data.map(bare).join('') }),
};

/** Parses RDATA to the fields of a draft. @throws InvalidRecordData */
export function draftContent(type: RecordType, data: readonly Token[], absolute: AbsoluteName): DraftData {
  if (data.length === 0) throw new InvalidRecordData(`the ${type} record has no data`);
  if (data[0]?.text === '\\#')
    throw new InvalidRecordData(`the generic RDATA format (RFC 3597) is not supported for ${type} records`);
  return DATA[type](data, absolute);
}

function fields(data: readonly Token[], count: number, what: string): readonly [Token, ...Token[]] {
  const [first, ...others] = data;
  if (!first || data.length !== count) throw new InvalidRecordData(`the record data must be ${what}`);
  return [first, ...others];
}

function single(data: readonly Token[], what: string): string {
  return bare(fields(data, 1, what)[0]);
}

function sixteenBits(token: Token): number {
  const text = bare(token);
  if (!/^\d{1,5}$/.test(text)) throw new InvalidRecordData(`${text} is not a number from 0 to 65535`);
  return Number(text);
}

/** Only character-strings may be quoted. */
function bare({ text, quoted: isQuoted }: Token): string {
  if (isQuoted) throw new InvalidRecordData(`"${text}" must not be quoted`);
  return text;
}

/** Quotes a string and keeps its escapes. A zone file may contain unescaped tabs; record content may not. */
function quoted({ text }: Token): string {
  return `"${text.replaceAll('\t', '\\009')}"`;
}
