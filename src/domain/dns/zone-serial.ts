const SERIALS = 2 ** 32;
const HALF = 2 ** 31;

/** The SOA serial of a zone's version: 32 bits that go round. */
export function serialOf(version: number): number {
  return version % SERIALS;
}

/** Whether a zone of serial `one` holds all that one of `other` does: serial number arithmetic, RFC 1982. */
export function reaches(one: number, other: number): boolean {
  return (one - other + SERIALS) % SERIALS < HALF;
}
