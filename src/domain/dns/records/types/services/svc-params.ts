// cspell:words dohpath ohttp
import { isIPv4, isIPv6 } from 'node:net';
import { quoteCharacterString } from '../../text/character-string';
import { ipv4Octets, ipv4Text, ipv6Address, ipv6Octets, ipv6Text } from '../basic/addresses';
import { RdataReader } from '../rdata/rdata-reader';

/** The value of one SvcParam, one character per octet. Undefined and RangeError: malformed. */
interface ParamForm {
  parse(value: string): Buffer | undefined;
  format(octets: Buffer): string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
const NO_CONTEXT = { zoneName: '', ownerName: '', priority: null };

const plain: ParamForm = {
  parse: (value) => Buffer.from(value, 'latin1'),
  format: (octets) => octets.toString('latin1'),
};

const empty: ParamForm = {
  parse: (value) => (value === '' ? Buffer.alloc(0) : undefined),
  format: (octets) => {
    if (octets.length > 0) throw new RangeError('A service parameter must have no value');
    return '';
  },
};

const mandatory: ParamForm = {
  parse: (value) => {
    const keys = value.split(',').map(keyNumber);
    if (new Set(keys).size !== keys.length || keys.includes(undefined) || keys.includes(MANDATORY)) return undefined;
    return sixteenBitList(keys.map(Number).toSorted((one, other) => one - other));
  },
  format: (octets) => {
    const keys = sixteenBitValues(octets);
    const isValid = keys.every((key, index) => key > (keys[index - 1] ?? MANDATORY));
    if (!isValid || keys.length === 0) throw new RangeError('The mandatory keys are not in order');
    return keys.map(paramName).join(',');
  },
};

const alpn: ParamForm = {
  parse: (value) => {
    const ids = splitList(value);
    if (!ids?.every((id) => id.length >= 1 && id.length <= 255)) return undefined;
    return Buffer.concat(ids.map((id) => Buffer.from(`${String.fromCharCode(id.length)}${id}`, 'latin1')));
  },
  format: (octets) => {
    const ids = new RdataReader(octets).strings();
    if (ids.includes('')) throw new RangeError('A protocol id is empty');
    return ids.map((id) => id.replace(/[\\,]/g, '\\$&')).join(',');
  },
};

const port: ParamForm = {
  parse: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? sixteenBitList([Number(value)]) : undefined),
  format: (octets) => {
    if (octets.length !== 2) throw new RangeError('A port has two octets');
    return String(octets.readUInt16BE());
  },
};

const ipv4hint: ParamForm = {
  parse: (value) => {
    const addresses = value.split(',');
    return addresses.every(isIPv4) ? Buffer.concat(addresses.map(ipv4Octets)) : undefined;
  },
  format: (octets) => pieces(octets, 4).map(ipv4Text).join(','),
};

const ipv6hint: ParamForm = {
  parse: (value) => {
    const addresses = value
      .split(',')
      .map((each) => (isIPv6(each) ? ipv6Address.canonicalize(each, NO_CONTEXT) : undefined));
    return addresses.includes(undefined) ? undefined : Buffer.concat(addresses.map((each = '') => ipv6Octets(each)));
  },
  format: (octets) => pieces(octets, 16).map(ipv6Text).join(','),
};

const ech: ParamForm = {
  parse: (value) => (BASE64.test(value) ? Buffer.from(value, 'base64') : undefined),
  format: (octets) => {
    if (octets.length === 0) throw new RangeError('The ECH configuration is empty');
    return octets.toString('base64');
  },
};

/** A relative URI template with the variable `dns`: RFC 9461, section 5. */
const dohpath: ParamForm = {
  parse: (value) => (/^\/[!-~]*\{[?&]?dns\}/.test(value) ? Buffer.from(value, 'latin1') : undefined),
  format: (octets) => octets.toString('latin1'),
};

const tlsGroups: ParamForm = {
  parse: (value) => {
    const groups = value.split(',');
    const isValid = groups.every((each) => /^[1-9]\d{0,4}$/.test(each) && Number(each) <= 65_535);
    return isValid && new Set(groups).size === groups.length ? sixteenBitList(groups.map(Number)) : undefined;
  },
  format: (octets) => sixteenBitValues(octets).join(','),
};

const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;
const PORT = 3;

/** IANA registry "Service Parameter Keys (SvcParamKeys)", by number: RFC 9460, 9461, 9540 and draft-ietf-tls-key-share-prediction. */
const PARAMS: readonly (readonly [name: string, form: ParamForm])[] = [
  ['mandatory', mandatory],
  ['alpn', alpn],
  ['no-default-alpn', empty],
  ['port', port],
  ['ipv4hint', ipv4hint],
  ['ech', ech],
  ['ipv6hint', ipv6hint],
  ['dohpath', dohpath],
  ['ohttp', empty],
  ['tls-supported-groups', tlsGroups],
];
/** RFC 9460, section 14.3.2: never used. */
const INVALID_KEY = 65_535;

const NUMBERS: ReadonlyMap<string, number> = new Map(PARAMS.map(([name], number) => [name, number]));

/** The number of a key such as `alpn` or `key667` (RFC 9460, section 2.1). */
export function keyNumber(name: string): number | undefined {
  const known = NUMBERS.get(name.toLowerCase());
  if (known !== undefined) return known;
  const digits = /^key(0|[1-9]\d{0,4})$/i.exec(name)?.[1];
  return digits !== undefined && Number(digits) < INVALID_KEY ? Number(digits) : undefined;
}

export function paramName(key: number): string {
  return PARAMS[key]?.[0] ?? `key${key}`;
}

/** A known key with its number in the name, such as key1, has its value in wire format. */
export function parseParam(name: string, value: string): Buffer | undefined {
  const key = keyNumber(name) ?? INVALID_KEY;
  const form = /^key\d/i.test(name) ? plain : (PARAMS[key]?.[1] ?? plain);
  return form.parse(value);
}

/** `alpn="h2,h3"`. @throws RangeError */
export function formatParam(key: number, octets: Buffer): string {
  if (key >= INVALID_KEY) throw new RangeError('A service parameter has an invalid key');
  const text = (PARAMS[key]?.[1] ?? plain).format(octets);
  return text === '' ? paramName(key) : `${paramName(key)}=${quoteCharacterString(text)}`;
}

/** The last key that PowerDNS 4.7, BIND 9.18 and Knot 3.2 know by its name. */
const LAST_COMMON_KEY = 6;

/** As formatParam, in a form that other nameservers read: newer keys are `keyN`, and PowerDNS takes a port without quotes only. */
export function formatPortableParam(key: number, octets: Buffer): string {
  if (key === PORT) return `port=${port.format(octets)}`;
  if (key === MANDATORY) return `mandatory=${sixteenBitValues(octets).map(portableName).join(',')}`;
  if (key <= LAST_COMMON_KEY) return formatParam(key, octets);
  return `${portableName(key)}=${quoteCharacterString(plain.format(octets))}`;
}

function portableName(key: number): string {
  return key <= LAST_COMMON_KEY ? paramName(key) : `key${key}`;
}

/** The keys of a `mandatory` parameter. */
export function mandatoryKeys(octets: Buffer | undefined): readonly number[] {
  return octets ? sixteenBitValues(octets) : [];
}

/** RFC 9460, appendix A.1: items separated by commas; `\` before a comma or a backslash that is part of an item. */
function splitList(value: string): string[] | undefined {
  const items = [...value.matchAll(/(?:^|,)((?:[^\\,]|\\[^])*)/g)];
  const matched = items.reduce((length, [match]) => length + match.length, 0);
  if (matched !== value.length) return undefined;
  return items.map(([, item = '']) => item.replace(/\\([^])/g, '$1'));
}

function sixteenBitList(values: readonly number[]): Buffer {
  const octets = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) octets.writeUInt16BE(value, 2 * index);
  return octets;
}

function sixteenBitValues(octets: Buffer): number[] {
  return pieces(octets, 2).map((piece) => piece.readUInt16BE());
}

function pieces(octets: Buffer, length: number): Buffer[] {
  if (octets.length === 0 || octets.length % length !== 0) throw new RangeError('A list has a wrong length');
  return Array.from({ length: octets.length / length }, (_, index) =>
    octets.subarray(index * length, (index + 1) * length),
  );
}
