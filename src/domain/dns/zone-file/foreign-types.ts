import type { RecordType } from '../records/record-type';

/** Types of records that exist (IANA, "Resource Record (RR) TYPEs") and that we do not serve: a zone file may have them, and they are left out. */
const FOREIGN_TYPES: ReadonlySet<string> = new Set(
  `A6 AFSDB AMTRELAY APL AVC CDNSKEY CDS CERT CSYNC DHCID DLV DNAME DNSKEY DOA DS DSYNC EID EUI48 EUI64 GPOS HHIT HINFO HIP
   HTTPS IPN IPSECKEY ISDN KEY KX L32 L64 LOC LP MB MG MINFO MR NAPTR NID NIMLOC NINFO NSAP NSAP-PTR NSEC NSEC3 NSEC3PARAM
   NULL NXNAME OPENPGPKEY PTR PX RESINFO RKEY RP RRSIG RT SIG SINK SMIMEA SPF SSHFP SVCB TA TALINK TLSA URI WALLET WKS X25
   ZONEMD`.split(/\s+/),
);

/** What we serve, by the number that RFC 3597, section 5, lets a file name it by. */
const SERVED_BY_NUMBER: Readonly<Record<string, RecordType>> = {
  TYPE1: 'A',
  TYPE2: 'NS',
  TYPE5: 'CNAME',
  TYPE15: 'MX',
  TYPE16: 'TXT',
  TYPE28: 'AAAA',
  TYPE33: 'SRV',
  TYPE257: 'CAA',
};

/** Types that a name may have beside a CNAME: RFC 4034, section 2.5 and RFC 2535. */
const BESIDE_CNAME: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'SIG', 'KEY', 'NXT']);

/** A name may have one record of these: RFC 6672, section 2.4. */
const SINGLE: ReadonlySet<string> = new Set(['DNAME']);

/** `type` in upper case; `TYPE` and a number is any type, RFC 3597. */
export function isForeignType(type: string): boolean {
  return FOREIGN_TYPES.has(type) || /^TYPE\d{1,5}$/.test(type);
}

/** The type that we serve under another name than `type`. */
export function servedByNumber(type: string): RecordType | undefined {
  return SERVED_BY_NUMBER[type];
}

export function mayStandBesideCname(type: string): boolean {
  return BESIDE_CNAME.has(type);
}

export function standsOnce(type: string): boolean {
  return SINGLE.has(type);
}
