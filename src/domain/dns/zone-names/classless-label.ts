/** RFC 2317: the first address and the prefix length, or with a hyphen also the first and the last address. */
const CLASSLESS = /^(\d{1,3})([/-])(\d{1,3})$/;
const MIN_LENGTH = 25;
const MAX_LENGTH = 31;
const MAX_OCTET = 255;

export interface ClasslessNetwork {
  /** The last octet of its first address. */
  readonly first: number;
  readonly length: number;
}

/**
 * The part of a /24 network that the first label of a reverse zone names (RFC 2317). `0/26` is a length; with a hyphen, `0-63` counts
 * addresses if that is a network, and `0-26` is a length otherwise. Both forms are in use.
 */
export function readClassless(label: string): ClasslessNetwork | undefined {
  const [, firstText = '', separator, secondText = ''] = CLASSLESS.exec(label) ?? [];
  if (hasLeadingZero(firstText) || hasLeadingZero(secondText)) return undefined;
  const [first, second] = [Number(firstText), Number(secondText)];
  const byRange = { first, length: 32 - Math.log2(second - first + 1) };
  if (separator === '-' && second <= MAX_OCTET && isNetwork(byRange)) return byRange;
  const byLength = { first, length: second };
  return isNetwork(byLength) ? byLength : undefined;
}

/** The last octets of its addresses. */
export function addressesOfClassless({ first, length }: ClasslessNetwork): readonly number[] {
  return Array.from({ length: sizeOf(length) }, (_each, index) => first + index);
}

/** The labels of all networks below a /24 that contain an address, by its last octet; the smallest network first. */
export function classlessLabels(octet: number): readonly string[] {
  return Array.from({ length: MAX_LENGTH - MIN_LENGTH + 1 }, (_each, index) => MAX_LENGTH - index).flatMap((length) => {
    const size = sizeOf(length);
    const first = octet - (octet % size);
    const labels = new Set([`${first}/${length}`, `${first}-${length}`, `${first}-${first + size - 1}`]);
    return [...labels].filter((label) => readClassless(label)?.length === length);
  });
}

function isNetwork({ first, length }: ClasslessNetwork): boolean {
  const hasLength = Number.isInteger(length) && length >= MIN_LENGTH && length <= MAX_LENGTH;
  return hasLength && first <= MAX_OCTET && first % sizeOf(length) === 0;
}

function sizeOf(length: number): number {
  return 2 ** (32 - length);
}

function hasLeadingZero(digits: string): boolean {
  return digits === '' || (digits.length > 1 && digits.startsWith('0'));
}
