import { decode, type DecodedPacket } from 'dns-packet';

const POINTER = 0xc000;
/** Octets that compression pointers reach: RFC 1035, section 4.1.4. */
const POINTER_RANGE = 0x4000;
const MAX_LABEL = 63;
const MAX_NAME = 254;
const HEADER = 12;
/** Questions and records of a message times labels and compression pointers of its longest name: more than messages have that are meant to be read. */
const MAX_STEPS = 100_000;

/**
 * Decodes a message of another nameserver; undefined if it is malformed, or made to take long. dns-packet reads every name through all
 * its compression pointers: 64 KiB of names that go through thousands of them would stop the process for more than a second.
 */
export function decodeResponse(bytes: Buffer): DecodedPacket | undefined {
  if (bytes.length < HEADER || entriesIn(bytes) * longestName(bytes) > MAX_STEPS) return undefined;
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

function entriesIn(bytes: Buffer): number {
  return [4, 6, 8, 10].reduce((sum, offset) => sum + bytes.readUInt16BE(offset), 0);
}

/** Labels and pointers of the longest name that starts anywhere in the message, whether a record has it or not. */
function longestName(bytes: Buffer): number {
  const length = Math.min(bytes.length - 1, POINTER_RANGE);
  const { ends, labels } = labelsIn(bytes, length);
  const [steps, octets] = [new Uint16Array(length), new Uint16Array(length)];
  let longest = 0;
  for (let start = 0; start < length; start += 1) {
    const end = ends[start] ?? 0;
    let [count, size] = [labels[start] ?? 0, end - start];
    const target = end < length ? bytes.readUInt16BE(end) - POINTER : -1;
    // Only pointers backwards are followed.
    if (target >= 0 && target < start) {
      count += 1 + (steps[target] ?? 0);
      size += octets[target] ?? 0;
    }
    octets[start] = Math.min(size, MAX_NAME + 1);
    // Decoding ends at a name that is too long.
    if (size > MAX_NAME) continue;
    steps[start] = count;
    longest = Math.max(longest, count);
  }
  return longest;
}

/** For each offset, how many labels start there in a row, and where they end. */
function labelsIn(bytes: Buffer, length: number): { readonly ends: Uint16Array; readonly labels: Uint16Array } {
  const [ends, labels] = [new Uint16Array(length), new Uint16Array(length)];
  for (let start = length - 1; start >= 0; start -= 1) {
    const octets = bytes[start] ?? 0;
    const isLabel = octets > 0 && octets <= MAX_LABEL;
    const next = start + 1 + octets;
    ends[start] = isLabel ? (ends[next] ?? next) : start;
    labels[start] = isLabel ? 1 + (labels[next] ?? 0) : 0;
  }
  return { ends, labels };
}
