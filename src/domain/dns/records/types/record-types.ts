import { A, AAAA } from './basic/addresses';
import { CNAME, MX, NS, SRV } from './basic/host-names';
import { CAA, TXT } from './basic/texts';
import { InvalidRecordType } from '../../dns-errors';
import { unknownType } from './rdata/unknown-type';
import { wordsOf } from './rdata/words';
import { CERT, OPENPGPKEY, SMIMEA, SSHFP, TLSA } from './security/certificates';
import { DHCID } from './security/dhcid';
import { CDNSKEY, CDS, DNSKEY, DS } from './security/dnssec';
import { LOC } from './services/location';
import { ALIAS, DNAME, PTR } from './services/aliases';
import { HTTPS, SVCB } from './services/service-binding';
import { DSYNC, HINFO, NAPTR, URI } from './services/services';
import type { TypeDefinition } from './type-definition';
import { isReverseName } from '../../zone-names/reverse-tree';

/** The record types of the service interface, in the order of error messages and forms. */
export const INTERFACE_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV', 'CAA'] as const;

const DEFINITIONS = {
  A,
  AAAA,
  CNAME,
  MX,
  TXT,
  NS,
  SRV,
  CAA,
  HTTPS,
  SVCB,
  TLSA,
  SSHFP,
  DS,
  PTR,
  NAPTR,
  URI,
  LOC,
  DNAME,
  ALIAS,
  SMIMEA,
  OPENPGPKEY,
  CERT,
  HINFO,
  DHCID,
  CDS,
  CDNSKEY,
  DNSKEY,
  DSYNC,
} satisfies Readonly<Record<string, TypeDefinition>>;

type NamedType = keyof typeof DEFINITIONS;

/** A record type that the service can serve: its mnemonic, or `TYPE` and its number (RFC 3597). */
export type RecordType = NamedType | `TYPE${number}`;

/** All types with a mnemonic, in the order of forms. */
export const NAMED_TYPES = Object.keys(DEFINITIONS) as readonly NamedType[];

/** Stands for every type without a mnemonic in a list of types. */
export const OTHER_TYPES = 'TYPE###';
export type WritableType = NamedType | typeof OTHER_TYPES;
export const ALL_TYPES: readonly WritableType[] = [...NAMED_TYPES, OTHER_TYPES];

/** Types that dynamic updates and zone files may write even if the REST interface may not. */
const UPDATE_TYPES: readonly WritableType[] = ['DHCID'];
/** Types without which a reverse zone would have no use. */
const REVERSE_TYPES: readonly WritableType[] = ['PTR'];

const BY_NUMBER: ReadonlyMap<number, NamedType> = new Map(NAMED_TYPES.map((type) => [DEFINITIONS[type].number, type]));
const TYPE_NUMBER = /^TYPE(0|[1-9]\d{0,4})$/;

/**
 * The service makes these records itself (SOA, ZONEMD and those of DNSSEC), or they are obsolete or exist in queries only:
 * RFC 6895, section 3.1; RFC 7208, section 3.1 (SPF).
 */
const REFUSED: ReadonlySet<number> = new Set([0, 6, 24, 30, 41, 46, 47, 50, 51, 63, 99, 65_535]);
const isMetaType = (number: number): boolean => number >= 128 && number <= 255;

export function typeDefinition(type: RecordType): TypeDefinition {
  return isNamedType(type) ? DEFINITIONS[type] : unknownType(Number(type.slice(4)));
}

export function isNamedType(type: string): type is NamedType {
  return Object.hasOwn(DEFINITIONS, type);
}

/** The type with a number, by its mnemonic if it has one. Any number is accepted. */
export function typeOfNumber(number: number): RecordType {
  return BY_NUMBER.get(number) ?? `TYPE${number}`;
}

/** The type that `text` names: a mnemonic, or `TYPE` and a number. Undefined if no record can have it. */
export function findRecordType(text: string): RecordType | undefined {
  if (isNamedType(text)) return text;
  const digits = TYPE_NUMBER.exec(text)?.[1];
  const number = digits === undefined ? 65_536 : Number(digits);
  return number > 65_535 || REFUSED.has(number) || isMetaType(number) ? undefined : typeOfNumber(number);
}

/** Whether `types` allow to write records of a type. */
export function includesType(types: readonly WritableType[], type: RecordType | WritableType): boolean {
  return types.includes(isNamedType(type) ? type : OTHER_TYPES);
}

/** The types that may be written in a zone if the operator has switched on `types`. */
export function typesOf(zoneName: string, types: readonly WritableType[]): readonly WritableType[] {
  return isReverseName(zoneName) ? [...new Set([...types, ...REVERSE_TYPES])] : types;
}

/** The types that zone files and dynamic updates may write if the REST interface may write `types`. */
export function withUpdateTypes(types: readonly WritableType[]): readonly WritableType[] {
  return [...new Set([...types, ...UPDATE_TYPES])];
}

/** `TYPE###` is one of the `types` if a known type may be written as `TYPE` and a number. @throws InvalidRecordType */
export function parseRecordType(text: string, types: readonly WritableType[] = INTERFACE_TYPES): RecordType {
  const type = isNamedType(text) || types.includes(OTHER_TYPES) ? findRecordType(text) : undefined;
  if (type === undefined || !includesType(types, type)) throw new InvalidRecordType(types);
  return type;
}

/** A record type that can be listed: one that may be written, also by dynamic updates or in reverse zones. @throws InvalidRecordType */
export function parseListedType(text: string, types: readonly WritableType[]): RecordType {
  const isOfSomeZones = isNamedType(text) && [...UPDATE_TYPES, ...REVERSE_TYPES].includes(text);
  return isOfSomeZones ? text : parseRecordType(text, types);
}

/**
 * The octets of RDATA in presentation format with absolute names: uncompressed and in the canonical form of RFC 4034, section
 * 6.2. `DnsRecord.rdata` returns this format. @throws InvalidRecordData
 */
export function wireRdata(type: RecordType, text: string): Buffer {
  const { parse, encode } = typeDefinition(type);
  return encode({ priority: null, weight: null, port: null, ...parse(wordsOf(text) ?? [], (word) => word.text) });
}

export function isAddress({ type }: { readonly type: string }): boolean {
  return type === 'A' || type === 'AAAA';
}
