import { encodingLength, type Answer, type SoaAnswer } from 'dns-packet';

/** Octets of a message by TCP, RFC 1035, section 4.2.2; a sender need not fill them. */
export const MAX_MESSAGE = 65_535;
const RECORDS = 200;
const HEADER = encodingLength({});

/** The records of a transfer in as many messages of `room` octets as it takes: the SOA, the content, and the SOA again. */
export async function* packed(
  soa: SoaAnswer,
  content: AsyncIterable<readonly Answer[]>,
  room: number,
): AsyncIterable<readonly Answer[]> {
  let batch: Answer[] = [soa];
  let octets = sizeOf(soa);
  for await (const answers of content) {
    for (const answer of answers) {
      const size = sizeOf(answer);
      if (batch.length >= RECORDS || octets + size > room) {
        yield batch;
        batch = [];
        octets = 0;
      }
      batch.push(answer);
      octets += size;
    }
  }
  if (octets + sizeOf(soa) > room) {
    yield batch;
    batch = [];
  }
  yield [...batch, soa];
}

function sizeOf(answer: Answer): number {
  return encodingLength({ answers: [answer] }) - HEADER;
}
