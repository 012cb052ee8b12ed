import { encode, encodingLength, type Answer, type SoaAnswer } from 'dns-packet';

/** Octets of a message over TCP: RFC 1035, section 4.2.2. */
export const MAX_MESSAGE = 65_535;
const HEADER = encodingLength({});
/** A message with one record, which has no more octets than a transfer's. */
const scratch = Buffer.allocUnsafeSlow(HEADER + MAX_MESSAGE);

/** The answer section of a message. */
export interface PackedAnswers {
  readonly count: number;
  /** Overwritten when the next ones are read. */
  readonly octets: Buffer;
}

/**
 * Splits a zone transfer (SOA, content, SOA) into messages with at most `limit` octets of records. Encodes each record at once: if
 * those of a message lived until it is full, V8 would take them for long-lived and keep 130 MB of them before it collects them.
 */
export async function* packMessages(
  soa: SoaAnswer,
  content: AsyncIterable<readonly Answer[]> | Iterable<readonly Answer[]>,
  limit: number,
): AsyncIterable<PackedAnswers> {
  const octets = Buffer.allocUnsafeSlow(limit);
  let [count, end] = [0, 0];
  const add = (answer: Answer, size: number): void => {
    encode({ answers: [answer] }, scratch);
    scratch.copy(octets, end, HEADER, HEADER + size);
    count += 1;
    end += size;
  };
  add(soa, sizeOf(soa));
  for await (const answers of withEnd(content, soa)) {
    for (const answer of answers) {
      const size = sizeOf(answer);
      if (size > limit) throw new Error(`a record of ${size} octets does not fit into a message`);
      if (end + size > limit) {
        yield { count, octets: octets.subarray(0, end) };
        [count, end] = [0, 0];
      }
      add(answer, size);
    }
  }
  yield { count, octets: octets.subarray(0, end) };
}

async function* withEnd(
  content: AsyncIterable<readonly Answer[]> | Iterable<readonly Answer[]>,
  soa: SoaAnswer,
): AsyncIterable<readonly Answer[]> {
  yield* content;
  yield [soa];
}

function sizeOf(answer: Answer): number {
  return encodingLength({ answers: [answer] }) - HEADER;
}
