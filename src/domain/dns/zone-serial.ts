const SERIALS = 2 ** 32;
const HALF = 2 ** 31;

/** The serial on the wire of one that only rises, or of a catalog's version: 32 bits with wrap-around. */
export function serialOf(counter: number): number {
  return counter % SERIALS;
}

/** Whether serial `one` is at least `other` in serial number arithmetic (RFC 1982). */
export function isSerialAtLeast(one: number, other: number): boolean {
  return (one - other + SERIALS) % SERIALS < HALF;
}

/** The value of the counter, at most `current`, that has this serial on the wire; undefined for a serial that is ahead, or for none. */
export function counterWithSerial(serial: number, current: number): number | undefined {
  if (!isSerialAtLeast(serialOf(current), serial)) return undefined;
  const counter = current - ((serialOf(current) - serial + SERIALS) % SERIALS);
  return counter < 1 ? undefined : counter;
}
