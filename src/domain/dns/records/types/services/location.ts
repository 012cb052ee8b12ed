import type { RdataField } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';
import type { WordReader } from '../rdata/words';

/** RFC 1876, section 3: the equator and the prime meridian, in thousandths of an arc second. */
const CENTER = 2 ** 31;
const DEGREE_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Altitudes count from 100 km below the reference spheroid, in centimeters. */
const BASE_CM = 10_000_000;
const MAX_CM = 2 ** 32 - 1 - BASE_CM;
const DEFAULT_SIZES = ['1.00m', '10000.00m', '10.00m'] as const;
const OCTETS = 16;

/** Degrees, optionally minutes and seconds, and a hemisphere: `52 22 23.000 N`. */
function parseAngle(words: WordReader, limit: number, [positive, negative]: readonly [string, string]) {
  const parts: string[] = [];
  let word = words.bare();
  while (word !== undefined && word.toUpperCase() !== positive && word.toUpperCase() !== negative) {
    if (parts.push(word) > 3) return undefined;
    word = words.bare();
  }
  const [degrees = '', minutes = '0', seconds = '0'] = parts;
  if (word === undefined || !/^\d{1,3}$/.test(degrees) || !/^\d{1,2}$/.test(minutes)) return undefined;
  if (!/^\d{1,2}(?:\.\d{1,3})?$/.test(seconds) || Number(minutes) > 59 || Number(seconds) >= 60) return undefined;
  const angle = Number(degrees) * DEGREE_MS + Number(minutes) * MINUTE_MS + Math.round(Number(seconds) * 1_000);
  if (angle > limit * DEGREE_MS) return undefined;
  return CENTER + (word.toUpperCase() === negative ? -angle : angle);
}

function formatAngle(value: number, limit: number, [positive, negative]: readonly [string, string]): string {
  const angle = Math.abs(value - CENTER);
  if (angle > limit * DEGREE_MS) throw new RangeError('A location has a wrong angle');
  const degrees = Math.floor(angle / DEGREE_MS);
  const minutes = Math.floor((angle % DEGREE_MS) / MINUTE_MS);
  const seconds = ((angle % MINUTE_MS) / 1_000).toFixed(3);
  return `${degrees} ${minutes} ${seconds} ${value < CENTER ? negative : positive}`;
}

/** Meters as centimeters: `-24.50m`. */
function centimeters(text: string): number | undefined {
  return /^-?\d{1,8}(?:\.\d{1,2})?m?$/i.test(text) ? Math.round(Number.parseFloat(text) * 100) : undefined;
}

/** One digit and a power of ten of centimeters, rounded down. */
function sizeOctet(text: string): number | undefined {
  const size = centimeters(text);
  if (size === undefined || size < 0 || text.startsWith('-')) return undefined;
  const digits = String(size);
  return Number(digits.charAt(0)) * 16 + (digits.length - 1);
}

function sizeText(octet: number): string {
  const [digit, power] = [octet >> 4, octet & 15];
  if (digit > 9 || power > 9) throw new RangeError('A location has a wrong size');
  return `${((digit * 10 ** power) / 100).toFixed(2)}m`;
}

const NORTH = ['N', 'S'] as const;
const EAST = ['E', 'W'] as const;

const location: RdataField = {
  parse: (words) => {
    const latitude = parseAngle(words, 90, NORTH);
    const longitude = latitude === undefined ? undefined : parseAngle(words, 180, EAST);
    const altitude = centimeters(words.bare() ?? '');
    const rest = words.rest().map(({ text }) => text);
    const sizes = DEFAULT_SIZES.map((size, index) => sizeOctet(rest[index] ?? size));
    if (latitude === undefined || longitude === undefined || altitude === undefined || rest.length > 3)
      return undefined;
    if (altitude < -BASE_CM || altitude > MAX_CM || sizes.includes(undefined)) return undefined;
    const octets = Buffer.alloc(OCTETS);
    octets.set(sizes.map(Number), 1);
    octets.writeUInt32BE(latitude, 4);
    octets.writeUInt32BE(longitude, 8);
    octets.writeUInt32BE(altitude + BASE_CM, 12);
    return octets;
  },
  format: (reader) => {
    if (reader.integer(1) !== 0) throw new RangeError('A location has an unknown version');
    const sizes = [...reader.octets(3)].map(sizeText);
    const latitude = formatAngle(reader.integer(4), 90, NORTH);
    const longitude = formatAngle(reader.integer(4), 180, EAST);
    const altitude = `${((reader.integer(4) - BASE_CM) / 100).toFixed(2)}m`;
    const isDefault = sizes.every((size, index) => size === DEFAULT_SIZES[index]);
    return [latitude, longitude, altitude, ...(isDefault ? [] : sizes)].join(' ');
  },
};

/** RFC 1876. */
export const LOC = rdataType({
  name: 'LOC',
  number: 29,
  parts: [
    { label: 'Latitude', example: '52 22 23.000 N', words: 4, hint: 'Degrees, minutes, seconds, and N or S' },
    { label: 'Longitude', example: '4 53 32.000 E', words: 4, hint: 'Degrees, minutes, seconds, and E or W' },
    { label: 'Altitude in meters', example: '-2.00m' },
    {
      label: 'Size and precisions in meters',
      example: '0.00m 10000m 10m',
      hint: 'Diameter, horizontal and vertical precision',
      isOptional: true,
    },
  ],
  fields: [location],
  expectation:
    'latitude, longitude and altitude, optionally with size and precisions, such as 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m',
});
