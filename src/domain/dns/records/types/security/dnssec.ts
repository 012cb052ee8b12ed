// cspell:words RSAMD RSASHA DSANSEC ECCGOST GOST PRIVATEDNS PRIVATEOID
import { ROOT } from '../../record-name';
import type { ContentPart } from '../content-parts';
import { base64Rest, hexRest, namedInteger, octet, sixteenBits } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';

/** IANA registry "DNS Security Algorithm Numbers"; the mnemonics are allowed by RFC 4034, sections 2.2 and 5.3. */
export const ALGORITHMS: Readonly<Record<string, number>> = {
  DELETE: 0,
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  DSANSEC3SHA1: 6,
  'DSA-NSEC3-SHA1': 6,
  RSASHA1NSEC3SHA1: 7,
  'RSASHA1-NSEC3-SHA1': 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  'ECC-GOST': 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
};
const ALGORITHM = namedInteger(1, ALGORITHMS);

/** Octets of a digest by its type: IANA registry "DS Resource Record (RR) Type Digest Algorithms". */
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
]);
const DIGEST_AT = 4;
/** RFC 8078, section 4: `0 0 0 00` asks the parent to delete the DS records. */
const DELETE_CDS = Buffer.from([0, 0, 0, 0, 0]);
const DELETE_CDNSKEY = Buffer.from([0, 0, 3, 0, 0]);

const DS_FIELDS = [sixteenBits, ALGORITHM, octet, hexRest];
const EXAMPLE_DIGEST = '2bb183af5f22588179a53b0a98631fad1a292118c4fbd02e0dcd9ef6e4b40c3c';
const EXAMPLE_KEY = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';
const DS_PARTS: readonly ContentPart[] = [
  { label: 'Key tag', example: '2371' },
  { label: 'Algorithm', example: '13', hint: '13: ECDSA P-256; 15: Ed25519; 8: RSA with SHA-256' },
  { label: 'Digest type', example: '2', hint: '2: SHA-256; 4: SHA-384' },
  { label: 'Digest in hexadecimal', example: EXAMPLE_DIGEST },
];
const KEY_PARTS: readonly ContentPart[] = [
  { label: 'Flags', example: '257', hint: '257: signs the other keys; 256: signs the zone' },
  { label: 'Protocol', example: '3', hint: 'Always 3' },
  { label: 'Algorithm', example: '13', hint: '13: ECDSA P-256; 15: Ed25519; 8: RSA with SHA-256' },
  { label: 'Public key in base64', example: EXAMPLE_KEY },
];
const DS_FORM = '<key tag> <algorithm> <digest type> <digest in hexadecimal>, such as';
const KEY_FIELDS = [sixteenBits, octet, ALGORITHM, base64Rest];
const KEY_FORM = '<flags> 3 <algorithm> <public key in base64>, such as';

/** RFC 4034, section 5. */
export const DS = rdataType({
  name: 'DS',
  number: 43,
  parts: DS_PARTS,
  fields: DS_FIELDS,
  isValid: isDigest,
  expectation: `${DS_FORM} 2371 13 2 ${EXAMPLE_DIGEST}; a digest of type 1, 2 or 4 has 20, 32 or 48 octets`,
});

/** RFC 7344. */
export const CDS = rdataType({
  name: 'CDS',
  number: 59,
  parts: DS_PARTS,
  fields: DS_FIELDS,
  isValid: (octets) => octets.equals(DELETE_CDS) || isDigest(octets),
  expectation: `${DS_FORM} 2371 13 2 ${EXAMPLE_DIGEST}, or 0 0 0 00 to delete the DS records of the parent`,
});

/** RFC 4034, section 2: the keys of a zone are at its apex. CDS and CDNSKEY may be at other names (RFC 9615). */
export const DNSKEY = rdataType({
  name: 'DNSKEY',
  number: 48,
  parts: KEY_PARTS,
  fields: KEY_FIELDS,
  isValid: isKey,
  checkName: (name) => (name === ROOT ? undefined : 'DNSKEY records are allowed at the root of the domain only'),
  expectation: `${KEY_FORM} 257 3 13 ${EXAMPLE_KEY}`,
});

/** RFC 7344. */
export const CDNSKEY = rdataType({
  name: 'CDNSKEY',
  number: 60,
  parts: KEY_PARTS,
  fields: KEY_FIELDS,
  isValid: (octets) => octets.equals(DELETE_CDNSKEY) || isKey(octets),
  expectation: `${KEY_FORM} 257 3 13 ${EXAMPLE_KEY}, or 0 3 0 AA== to delete the DS records of the parent`,
});

function isDigest(octets: Buffer): boolean {
  const [algorithm, digestType = 0] = octets.subarray(2);
  const length = DIGEST_LENGTHS.get(digestType) ?? octets.length - DIGEST_AT;
  return algorithm !== 0 && digestType !== 0 && octets.length - DIGEST_AT === length;
}

/** RFC 4034, section 2.1.2: the protocol must be 3. */
function isKey(octets: Buffer): boolean {
  return octets[2] === 3 && octets[3] !== 0;
}
