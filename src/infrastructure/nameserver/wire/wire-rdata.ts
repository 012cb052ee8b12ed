import { decode, type Answer } from 'dns-packet';
import type { NamedRrset } from '../../../domain/dns/dnssec/signed-content';
import { writeName } from '../../../domain/dns/records/types/rdata/wire-name';

const HEADER = 12;
/** Type, class, TTL and the length of RDATA. */
const FIXED = 10;
const CLASS_IN = 1;
const RESPONSE = 0x8000;

/** Answers that are sent as they are. @param name full, without trailing dot */
export function rawAnswers(name: string, { type, ttl, rdata }: NamedRrset): readonly Answer[] {
  return rdata.map((data) => ({ type: `UNKNOWN_${type}`, name, ttl, data }) as unknown as Answer);
}

/** An answer as dns-packet decodes it. */
export function decodedAnswer(name: string, type: number, ttl: number, data: Buffer): Answer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(RESPONSE, 2);
  header.writeUInt16BE(1, 6);
  const fixed = Buffer.alloc(FIXED);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(CLASS_IN, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  const [answer] = decode(Buffer.concat([header, writeName(name), fixed, data])).answers ?? [];
  if (!answer) throw new Error(`the record of type ${type} at ${name} cannot be decoded`);
  return answer;
}
