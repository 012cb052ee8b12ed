import { nameOrRoot, sixteenBits, type RdataField } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';
import { RdataReader } from '../rdata/rdata-reader';
import { octetsOfWord, type WordReader } from '../rdata/words';
import {
  ALPN,
  formatParam,
  formatPortableParam,
  paramName,
  keyNumber,
  mandatoryKeys,
  NO_DEFAULT_ALPN,
  parseParam,
} from './svc-params';

/** The registry has ten keys. A record of thousands would take milliseconds each time it is read. */
const MAX_PARAMS = 64;

/** RFC 9460, section 2.2: in ascending order of their keys, each once. */
const params: RdataField = {
  parse: (words) => {
    const values = readParams(words);
    return typeof values === 'string' ? undefined : encodeParams(values);
  },
  problem: (words) => {
    const values = readParams(words);
    return typeof values === 'string' ? values : undefined;
  },
  format: (reader) => {
    const values = new Map<number, Buffer>();
    let last = -1;
    while (!reader.isAtEnd) {
      const key = reader.integer(2);
      if (key <= last) throw new RangeError('The service parameters are not in order');
      last = key;
      values.set(key, reader.octets(reader.integer(2)));
    }
    if (missingParam(values) !== undefined) throw new RangeError('A service parameter is missing');
    return [...values].map(([key, value]) => formatParam(key, value)).join(' ');
  },
};

const portableParams: RdataField = {
  parse: (words, resolve) => params.parse(words, resolve),
  format: (reader) => {
    const texts: string[] = [];
    while (!reader.isAtEnd) texts.push(formatPortableParam(reader.integer(2), reader.octets(reader.integer(2))));
    return texts.join(' ');
  },
};

/** The values by their keys, or what is wrong with the first parameter that is invalid. */
function readParams(words: WordReader): ReadonlyMap<number, Buffer> | string {
  const values = new Map<number, Buffer>();
  while (!words.isAtEnd) {
    const start = words.position;
    const param = nextParam(words);
    if (!param) return `the parameter ${words.shownSince(start, '')} is invalid`;
    if (values.has(param.key)) return `the parameter ${words.shownSince(start, '')} is given twice`;
    if (values.size === MAX_PARAMS) return `it has more than ${MAX_PARAMS} parameters`;
    values.set(param.key, param.value);
  }
  return missingParam(values) ?? values;
}

/** `key`, `key=value` or `key="value"`, of which the last is two words. */
function nextParam(words: WordReader): { readonly key: number; readonly value: Buffer } | undefined {
  const [, name = '', equals, bareValue = ''] = /^([^=]+)(=?)(.*)$/s.exec(words.bare() ?? '') ?? [];
  const isQuoted = equals === '=' && bareValue === '';
  const word = isQuoted ? words.next() : { text: bareValue, quoted: false };
  const text = word?.quoted === isQuoted ? octetsOfWord(word) : undefined;
  const key = keyNumber(name);
  const value = text === undefined ? undefined : parseParam(name, text);
  return key === undefined || value === undefined ? undefined : { key, value };
}

/** RFC 9460, sections 7.1.1 and 8: alpn beside no-default-alpn, and every mandatory key is present. */
function missingParam(values: ReadonlyMap<number, Buffer>): string | undefined {
  if (values.has(NO_DEFAULT_ALPN) && !values.has(ALPN))
    return 'the parameter alpn is missing, which no-default-alpn needs';
  const missing = mandatoryKeys(values.get(0)).find((key) => !values.has(key));
  return missing === undefined ? undefined : `the parameter ${paramName(missing)} is missing, which mandatory names`;
}

function encodeParams(values: ReadonlyMap<number, Buffer>): Buffer {
  const ordered = [...values].toSorted(([one], [other]) => one - other);
  return Buffer.concat(
    ordered.flatMap(([key, value]) => {
      const head = Buffer.alloc(4);
      head.writeUInt16BE(key);
      head.writeUInt16BE(value.length, 2);
      return [head, value];
    }),
  );
}

const FORM = {
  parts: [
    { label: 'SvcPriority', example: '1', hint: '0 makes it an alias of the target, without parameters' },
    { label: 'Target', example: '.', hint: 'A full domain name; . for the name of the record' },
    {
      label: 'Parameters',
      example: 'alpn="h2,h3" ipv4hint=192.0.2.1',
      hint: 'alpn, port, ipv4hint, ipv6hint, ech and others, separated by blanks',
      isOptional: true,
    },
  ],
  fields: [sixteenBits, nameOrRoot, params],
  portableFields: [sixteenBits, nameOrRoot, portableParams],
  isValid: (octets: Buffer) => {
    const reader = new RdataReader(octets);
    const isAlias = reader.integer(2) === 0; // RFC 9460, section 2.4.2: without parameters
    reader.name();
    return !isAlias || reader.isAtEnd;
  },
};

/** RFC 9460. */
export const SVCB = rdataType({
  name: 'SVCB',
  number: 64,
  ...FORM,
  expectation:
    '<priority> <target> [<parameters>], such as 1 svc.example.com. alpn="h2,h3" port=8443; priority 0 is an alias and has no parameters',
});

/** RFC 9460, section 9. */
export const HTTPS = rdataType({
  name: 'HTTPS',
  number: 65,
  ...FORM,
  expectation:
    '<priority> <target> [<parameters>], such as 1 . alpn="h2,h3" ipv4hint=192.0.2.1; priority 0 is an alias and has no parameters',
});
