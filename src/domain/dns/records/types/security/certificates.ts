// cspell:words PKIX IPKIX ISPKI ACPKIX IACPKIX MIIC
import { base64Rest, hexRest, namedInteger, octet, sixteenBits } from '../rdata/rdata-fields';
import { rdataType } from '../rdata/rdata-type';
import { ALGORITHMS } from './dnssec';

const EXAMPLE = '0c72ac70b745ac19998811b131d662c9ac69dbdbe7cb23e5b514b56664c5d3d6';
/** SHA-256 and SHA-512: RFC 6698, section 2.1.3. */
const MATCHING_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);
/** SHA-1 and SHA-256: RFC 4255, section 3.1.2; RFC 6594. */
const FINGERPRINT_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
]);
/** RFC 4398, section 2.1. */
const CERTIFICATE_TYPES: Readonly<Record<string, number>> = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
};

const TLSA_FORM = {
  parts: [
    { label: 'Usage', example: '3', hint: '3: the certificate of the server; 2: a certificate authority of your own' },
    { label: 'Selector', example: '1', hint: '1: the public key; 0: the whole certificate' },
    { label: 'Matching type', example: '1', hint: '1: SHA-256; 2: SHA-512; 0: no digest' },
    { label: 'Data in hexadecimal', example: EXAMPLE },
  ],
  fields: [octet, octet, octet, hexRest],
  isValid: (octets: Buffer) => hasLength(octets, 3, MATCHING_LENGTHS.get(octets[2] ?? 0)),
  expectation: `<usage> <selector> <matching type> <data in hexadecimal>, such as 3 1 1 ${EXAMPLE}; data of matching type 1 (SHA-256) or 2 (SHA-512) has 32 or 64 octets`,
};

/** RFC 6698. */
export const TLSA = rdataType({ name: 'TLSA', number: 52, ...TLSA_FORM });

/** RFC 8162. */
export const SMIMEA = rdataType({ name: 'SMIMEA', number: 53, ...TLSA_FORM });

/** RFC 4255. */
export const SSHFP = rdataType({
  name: 'SSHFP',
  number: 44,
  parts: [
    { label: 'Algorithm', example: '4', hint: '1: RSA; 3: ECDSA; 4: Ed25519; 6: Ed448' },
    { label: 'Fingerprint type', example: '2', hint: '2: SHA-256; 1: SHA-1' },
    { label: 'Fingerprint in hexadecimal', example: EXAMPLE, hint: 'ssh-keygen -r HOST prints it' },
  ],
  fields: [octet, octet, hexRest],
  isValid: (octets) => hasLength(octets, 2, FINGERPRINT_LENGTHS.get(octets[1] ?? 0)),
  expectation: `<algorithm> <fingerprint type> <fingerprint in hexadecimal>, such as 4 2 ${EXAMPLE}; a fingerprint of type 1 (SHA-1) or 2 (SHA-256) has 20 or 32 octets`,
});

/** RFC 7929. */
export const OPENPGPKEY = rdataType({
  name: 'OPENPGPKEY',
  number: 61,
  fields: [base64Rest],
  expectation: 'an OpenPGP public key of at most 8192 octets in base64',
});

/** RFC 4398. */
export const CERT = rdataType({
  name: 'CERT',
  number: 37,
  parts: [
    { label: 'Certificate type', example: 'PKIX', hint: 'PKIX: X.509; PGP: OpenPGP' },
    { label: 'Key tag', example: '0' },
    { label: 'Algorithm', example: '0' },
    { label: 'Certificate in base64', example: 'MIIC…' },
  ],
  fields: [namedInteger(2, CERTIFICATE_TYPES), sixteenBits, namedInteger(1, ALGORITHMS), base64Rest],
  expectation: '<type> <key tag> <algorithm> <certificate in base64>, such as PKIX 0 0 MIIC…',
});

function hasLength(octets: Buffer, dataAt: number, length: number | undefined): boolean {
  return length === undefined || octets.length - dataAt === length;
}
