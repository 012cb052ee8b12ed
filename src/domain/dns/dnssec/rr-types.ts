/** Numbers of the types that DNSSEC treats specially, from the IANA registry. */
export const RR_TYPE = {
  NS: 2,
  CNAME: 5,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  CDS: 59,
  CDNSKEY: 60,
} as const;
