import { encodingLength, type Answer, type SoaAnswer } from 'dns-packet';

/** Octets of a message over TCP: RFC 1035, section 4.2.2. */
export const MAX_MESSAGE = 65_535;
const HEADER = encodingLength({});

/** Splits a zone transfer (SOA, content, SOA) into messages with at most `limit` octets of records. */
export async function* packMessages(
  soa: SoaAnswer,
  content: AsyncIterable<readonly Answer[]> | Iterable<readonly Answer[]>,
  limit: number,
): AsyncIterable<readonly Answer[]> {
  let batch: Answer[] = [soa];
  let octets = sizeOf(soa);
  for await (const answers of content) {
    for (const answer of answers) {
      const size = sizeOf(answer);
      if (octets + size > limit) {
        yield batch;
        batch = [];
        octets = 0;
      }
      batch.push(answer);
      octets += size;
    }
  }
  if (octets + sizeOf(soa) > limit) {
    yield batch;
    batch = [];
  }
  yield [...batch, soa];
}

function sizeOf(answer: Answer): number {
  return encodingLength({ answers: [answer] }) - HEADER;
}
