const SERIALS = 2 ** 32;
const HALF = 2 ** 31;

/** The SOA serial of a zone version: 32 bits with wrap-around. */
export function serialOf(version: number): number {
  return version % SERIALS;
}

/** Whether serial `one` is at least `other` in serial number arithmetic (RFC 1982). */
export function isSerialAtLeast(one: number, other: number): boolean {
  return (one - other + SERIALS) % SERIALS < HALF;
}
