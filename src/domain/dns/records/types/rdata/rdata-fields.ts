import { quoteCharacterString } from '../../text/character-string';
import { isClasslessLabel } from '../../../zone-names/reverse-tree';
import { MAX_NAME_LENGTH } from '../../record-name';
import type { RdataReader } from './rdata-reader';
import { writeName } from './wire-name';
import { octetsOfWord, WordReader, type Word } from './words';

/** The absolute name that a word stands for, in lower-case ASCII with trailing dot. Undefined if it is none. */
export type ResolveName = (word: Word) => string | undefined;

/** One field of RDATA. */
export interface RdataField {
  /** Takes the words of the field. Returns its octets, undefined if they are invalid. */
  parse(words: WordReader, resolve: ResolveName): Buffer | undefined;
  /** Says which part is wrong, if the field has several. */
  problem?(words: WordReader): string | undefined;
  /** Reads the field's octets. Returns its canonical words. @throws RangeError if they are malformed */
  format(reader: RdataReader): string;
}

const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_STRING_LENGTH = 255;

export const octet = integer(1);
export const sixteenBits = integer(2);

function integer(octets: number, names: Readonly<Record<string, number>> = {}): RdataField {
  return {
    parse: (words) => {
      const text = words.bare() ?? '';
      const value = /^\d{1,10}$/.test(text) ? Number(text) : names[text.toUpperCase()];
      if (value === undefined || value >= 256 ** octets) return undefined;
      const written = Buffer.alloc(octets);
      written.writeUIntBE(value, 0, octets);
      return written;
    },
    format: (reader) => String(reader.integer(octets)),
  };
}

/** A number that may be written by its name; the canonical form is the number. */
export function namedInteger(octets: number, names: Readonly<Record<string, number>>): RdataField {
  return integer(octets, names);
}

/** A number that is written by its name if it has one; the canonical form is the name. @param otherwise before the number of one without */
export function mnemonic(octets: number, names: Readonly<Record<string, number>>, otherwise = ''): RdataField {
  const plain = integer(octets);
  const nameOf = new Map(Object.entries(names).map(([name, value]) => [value, name]));
  return {
    parse: (words, resolve) => {
      const text = words.bare()?.toUpperCase() ?? '';
      const number = names[text] ?? (text.startsWith(otherwise) ? text.slice(otherwise.length) : '');
      return plain.parse(new WordReader([{ text: String(number), quoted: false }]), resolve);
    },
    format: (reader) => {
      const value = reader.integer(octets);
      return nameOf.get(value) ?? `${otherwise}${value}`;
    },
  };
}

/** A domain name: letters, digits, hyphens and underscores, or a wildcard as in a CNAME's target. */
export const domainName: RdataField = nameField(false);
/** A domain name, or `.` for none. */
export const nameOrRoot: RdataField = nameField(true);

function nameField(allowsRoot: boolean): RdataField {
  const isValid = (name: string): boolean => {
    if (name === '.') return allowsRoot;
    const relative = name.slice(0, -1);
    const labels = relative.split('.');
    const isLabel = (label: string): boolean => LABEL.test(label) || isClasslessLabel(label, relative);
    return (
      name.endsWith('.') &&
      name.length <= MAX_NAME_LENGTH + 1 &&
      labels.every((label, index) => isLabel(label) || (label === '*' && index === 0)) &&
      !/^\d+$/.test(labels.at(-1) ?? '')
    );
  };
  return {
    parse: (words, resolve) => {
      const word = words.next();
      const name = word && resolve(word);
      return name !== undefined && isValid(name) ? writeName(name.slice(0, -1)) : undefined;
    },
    format: (reader) => {
      const name = reader.name();
      if (!isValid(name)) throw new RangeError('A name is not supported');
      return name;
    },
  };
}

/** A `<character-string>` (RFC 1035, section 3.3). */
export const characterString: RdataField = {
  parse: (words) => {
    const word = words.next();
    const octets = word && octetsOfWord(word);
    if (octets === undefined || octets.length > MAX_STRING_LENGTH) return undefined;
    return Buffer.concat([Buffer.from([octets.length]), Buffer.from(octets, 'latin1')]);
  },
  format: (reader) => quoteCharacterString(reader.string()),
};

/** One quoted string without a length, up to the end of the RDATA. */
export function quotedRest(isValid: (octets: string) => boolean): RdataField {
  return {
    parse: (words) => {
      const word = words.next();
      const octets = word?.quoted === true ? octetsOfWord(word) : undefined;
      return octets !== undefined && isValid(octets) ? Buffer.from(octets, 'latin1') : undefined;
    },
    format: (reader) => quoteCharacterString(reader.rest().toString('latin1')),
  };
}

/** Octets in hexadecimal up to the end of the RDATA; blanks are allowed between digits. */
export const hexRest: RdataField = {
  parse: (words) => {
    const text = joined(words);
    return text !== undefined && HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
  },
  format: (reader) => atLeastOne(reader.rest()).toString('hex'),
};

/** Octets in base64 up to the end of the RDATA; blanks are allowed. */
export const base64Rest: RdataField = {
  parse: (words) => {
    const text = joined(words);
    return text !== undefined && text !== '' && BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  },
  format: (reader) => atLeastOne(reader.rest()).toString('base64'),
};

function atLeastOne(octets: Buffer): Buffer {
  if (octets.length === 0) throw new RangeError('The data of a record is too short');
  return octets;
}

function joined(words: WordReader): string | undefined {
  const rest = words.rest();
  return rest.some(({ quoted }) => quoted) ? undefined : rest.map(({ text }) => text).join('');
}
