// cspell:words WINSR
/** Registered types (IANA, "Resource Record (RR) TYPEs") that an import skips if they are not switched on, and those of Windows DNS. */
const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(
  `A6 AFSDB AMTRELAY APL AVC CDNSKEY CDS CERT CSYNC DLV DNAME DNSKEY DOA DS DSYNC EID EUI48 EUI64 GPOS HHIT HINFO HIP
   HTTPS IPN IPSECKEY ISDN KEY KX L32 L64 LOC LP MB MG MINFO MR NAPTR NID NIMLOC NINFO NSAP NSAP-PTR NSEC NSEC3 NSEC3PARAM
   NULL NXNAME OPENPGPKEY PTR PX RESINFO RKEY RP RRSIG RT SIG SINK SMIMEA SPF SSHFP SVCB TA TALINK TLSA URI WALLET WINS WINSR WKS
   X25 ZONEMD`.split(/\s+/),
);

/** Types that may coexist with a CNAME: RFC 4034, section 2.5, and RFC 2535. */
const BESIDE_CNAME: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'SIG', 'KEY', 'NXT']);

/** Types that a name may have only one record of: RFC 6672, section 2.4. */
const SINGLE: ReadonlySet<string> = new Set(['DNAME']);

/** @param type in upper case; `TYPE` with a number is any type (RFC 3597) */
export function isUnsupportedType(type: string): boolean {
  return UNSUPPORTED_TYPES.has(type) || /^TYPE\d{1,5}$/.test(type);
}

export function isAllowedBesideCname(type: string): boolean {
  return BESIDE_CNAME.has(type);
}

export function isOnePerName(type: string): boolean {
  return SINGLE.has(type);
}
