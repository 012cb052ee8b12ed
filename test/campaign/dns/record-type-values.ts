import type { RecordDraft } from '../../../src/domain/dns/records/dns-record';
import type { SeededRandom } from '../../crash/random';

/** A record's data as a caller of the API writes it, without its name. */
export type DataDraft = Pick<RecordDraft, 'content' | 'priority' | 'weight' | 'port'>;
type Generate = (random: SeededRandom) => DataDraft;

/** Random valid data by type. Spelling varies where the canonical form does not: case, blanks, leading zeros. */
export const GENERATORS: Readonly<Record<string, Generate>> = {
  A: (random) => ({ content: ipv4(random) }),
  AAAA: (random) => ({ content: ipv6(random) }),
  CNAME: (random) => ({ content: name(random) }),
  NS: (random) => ({ content: host(random) }),
  MX: (random) => ({ content: host(random), priority: number(random, 16) }),
  SRV: (random) => ({
    content: random.between(0, 5) === 0 ? '.' : host(random),
    priority: number(random, 16),
    weight: number(random, 16),
    port: number(random, 16),
  }),
  TXT: (random) => ({ content: Array.from({ length: random.between(1, 4) }, () => string(random, 255)).join(' ') }),
  CAA: (random) => {
    const [issuer, parameter] = [label(random), label(random)].map((each) => each.replaceAll(/[_-]/g, 'x'));
    return {
      content: `${random.oneOf(['0', '128'])} ${random.oneOf(['issue', 'issuewild'])} "${issuer}.example; ${parameter}=1"`,
    };
  },
  DHCID: (random) => ({ content: octets(random, 3, 80).toString('base64') }),
  HTTPS: serviceBinding,
  SVCB: serviceBinding,
  TLSA: certificateAssociation,
  SMIMEA: certificateAssociation,
  SSHFP: (random) => {
    const [type, length] = random.oneOf<readonly [number, number]>([
      [1, 20],
      [2, 32],
      [7, 48],
    ]);
    return { content: `${number(random, 8)} ${type} ${hex(random, octets(random, length))}` };
  },
  DS: (random) => ({ content: digest(random) }),
  CDS: (random) => ({ content: random.between(0, 9) === 0 ? '0 0 0 00' : digest(random) }),
  // A DNSKEY record is at the apex, of which a zone has one; its data is that of CDNSKEY.
  CDNSKEY: (random) => ({ content: random.between(0, 9) === 0 ? '0 3 0 AA==' : key(random) }),
  PTR: (random) => ({ content: name(random) }),
  DNAME: (random) => ({ content: name(random) }),
  NAPTR: (random) => ({
    content: `${number(random, 16)} ${number(random, 16)} ${asciiString(random, 3)} ${asciiString(random, 30)} ${asciiString(random, 255)} ${random.oneOf(['.', name(random)])}`,
  }),
  URI: (random) => ({
    content: `${number(random, 16)} ${number(random, 16)} "https://${label(random)}.example/${octets(random, 0, 100).toString('base64url')}?a=%20;b"`,
  }),
  HINFO: (random) => ({ content: `${asciiString(random, 255)} ${asciiString(random, 20)}` }),
  LOC: (random) => ({ content: location(random) }),
  OPENPGPKEY: (random) => ({ content: octets(random, 1, 600).toString('base64') }),
  CERT: (random) => ({
    content: `${random.oneOf(['PKIX', '2', 'PGP', '65000'])} ${number(random, 16)} ${random.oneOf(['0', '8', '13'])} ${octets(random, 1, 300).toString('base64')}`,
  }),
  DSYNC: (random) => ({
    content: `${random.oneOf(['CDS', 'CSYNC', 'TYPE65280'])} ${random.oneOf(['NOTIFY', '128'])} ${number(random, 16)} ${name(random)}`,
  }),
  TYPE65280: unknown,
  TYPE731: unknown,
};

function number(random: SeededRandom, bits: number): number {
  return random.oneOf([0, 1, 2 ** bits - 1, random.between(0, 2 ** bits - 1)]);
}

function octets(random: SeededRandom, least: number, most = least): Buffer {
  return Buffer.from(Array.from({ length: random.between(least, most) }, () => random.between(0, 255)));
}

/** In one of the two cases, sometimes with a blank. */
function hex(random: SeededRandom, data: Buffer): string {
  const text = random.oneOf([data.toString('hex'), data.toString('hex').toUpperCase()]);
  return random.between(0, 3) === 0 ? `${text.slice(0, 4)} ${text.slice(4)}` : text;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;
const HYPHENATED = `${ALPHANUMERIC}-_`;

function label(random: SeededRandom): string {
  const one = (characters: string) => characters.charAt(random.between(0, characters.length - 1));
  const middle = Array.from({ length: random.oneOf([0, 3, 10, 61]) }, () => one(HYPHENATED));
  return `${one(LETTERS)}${middle.join('')}${one(ALPHANUMERIC)}`;
}

function name(random: SeededRandom): string {
  const labels = Array.from({ length: random.between(1, 3) }, () => label(random));
  return `${random.oneOf(['', '', '_dmarc.', '*.'])}${labels.join('.')}.`;
}

function host(random: SeededRandom): string {
  return `${label(random).replaceAll('_', 'u')}.${label(random).replaceAll('_', 'u')}.`;
}

function ipv4(random: SeededRandom): string {
  return [...octets(random, 4)].join('.');
}

function ipv6(random: SeededRandom): string {
  // Six leading zeros would be an IPv4-compatible address, which dnspython writes with dots.
  const first = random.between(1, 65_535).toString(16);
  const groups = Array.from({ length: 7 }, () => random.oneOf([0, 0, random.between(0, 65_535)]).toString(16));
  const text = `${first}:${groups.join(':')}`;
  return random.oneOf([text, text.toUpperCase(), `${first}::${groups[0]}`]);
}

/** dnspython reads an escaped octet above 127 of these types as a character and writes it in UTF-8. */
function asciiString(random: SeededRandom, longest: number): string {
  return string(random, longest).replaceAll(/\\[12]\d\d/g, '\\127');
}

/** A quoted string of octets, some of them escaped. */
function string(random: SeededRandom, longest: number): string {
  const escaped = [...octets(random, 0, random.oneOf([2, 20, longest]))].map((octet) => {
    const character = String.fromCharCode(octet);
    if (octet < 32 || octet > 126 || random.between(0, 20) === 0) return `\\${String(octet).padStart(3, '0')}`;
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${escaped.slice(0, longest).join('')}"`;
}

function digest(random: SeededRandom): string {
  const [type, length] = random.oneOf<readonly [number, number]>([
    [1, 20],
    [2, 32],
    [4, 48],
  ]);
  const algorithm = random.oneOf(['8', '13', 'ECDSAP256SHA256', '15']);
  return `${number(random, 16)} ${algorithm} ${type} ${hex(random, octets(random, length))}`;
}

function key(random: SeededRandom): string {
  return `${random.oneOf([256, 257, 0])} 3 ${random.oneOf(['8', '13', 'RSASHA512'])} ${octets(random, 1, 260).toString('base64')}`;
}

function certificateAssociation(random: SeededRandom): DataDraft {
  const [type, length] = random.oneOf<readonly [number, number]>([
    [0, random.between(1, 300)],
    [1, 32],
    [2, 64],
  ]);
  return { content: `${number(random, 8)} ${number(random, 8)} ${type} ${hex(random, octets(random, length))}` };
}

function unknown(random: SeededRandom): DataDraft {
  const data = octets(random, 0, 300);
  return { content: `\\# ${data.length} ${data.length > 2 ? hex(random, data) : data.toString('hex')}`.trim() };
}

function location(random: SeededRandom): string {
  const angle = (limit: number, hemispheres: readonly [string, string]) =>
    `${random.between(0, limit - 1)} ${random.between(0, 59)} ${random.between(0, 59)}${random.oneOf(['', '.5', '.25', '.999'])} ${random.oneOf(hemispheres)}`;
  // Quarters of a meter have an exact binary form: dnspython computes with floating point.
  const altitude = `${random.between(-99_999, 1_000_000)}${random.oneOf(['', '.25', '.50m', '.75m', 'm'])}`;
  const size = () => `${random.between(1, 9)}${'0'.repeat(random.between(0, 6))}m`;
  const sizes = random.oneOf(['', ` ${size()}`, ` ${size()} ${size()} ${size()}`]);
  return `${angle(90, ['N', 'S'])} ${angle(180, ['E', 'W'])} ${altitude}${sizes}`;
}

function serviceBinding(random: SeededRandom): DataDraft {
  const target = random.oneOf(['.', name(random)]);
  if (random.between(0, 5) === 0) return { content: `0 ${target}` };
  const list = (item: () => string) => Array.from({ length: random.between(1, 3) }, item).join(',');
  const choices: (readonly [key: string, param: string])[] = [
    ['alpn', `alpn=${random.oneOf(['h2', 'h3,h2', '"http/1.1,h2"', '"h2,x y"'])}`],
    ['port', `port=${number(random, 16)}`],
    ['ipv4hint', `ipv4hint=${list(() => ipv4(random))}`],
    ['ech', `ech="${octets(random, 1, 60).toString('base64')}"`],
    ['ipv6hint', `ipv6hint="${list(() => ipv6(random))}"`],
    ['key667', `key667=${string(random, 100).replace('""', '"a"')}`],
    ['key65534', 'key65534'],
  ];
  const chosen = choices.filter(() => random.between(0, 1) === 0);
  const params = chosen.map(([, param]) => param);
  if (chosen.some(([param]) => param === 'alpn') && random.between(0, 2) === 0) params.push('no-default-alpn');
  const mandatory = chosen.filter(() => random.between(0, 2) === 0).map(([param]) => param);
  if (mandatory.length > 0) params.push(`mandatory=${mandatory.toReversed().join(',')}`);
  return { content: [`${random.between(1, 65_535)}`, target, ...params].join(' ') };
}
