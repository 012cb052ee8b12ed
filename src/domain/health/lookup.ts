/** The types that are looked up through the resolver. */
export type LookupType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'NS' | 'SOA' | 'CAA' | 'DS' | 'DNSKEY';

/** What a look-up through the resolver has found. Names are in lower case without the trailing dot. */
export type Lookup =
  | {
      readonly kind: 'found';
      /** RDATA in presentation format; of TXT the text, of SOA the serial alone. */
      readonly records: readonly string[];
      /** The targets of the CNAME records that were followed, in order. */
      readonly via: readonly string[];
      /** The resolver has validated the answer (the AD bit). */
      readonly isAuthentic: boolean;
    }
  /** The name exists and has no records of the type. */
  | { readonly kind: 'no_data'; readonly via: readonly string[] }
  /** The name does not exist (NXDOMAIN). */
  | { readonly kind: 'no_name'; readonly via: readonly string[] }
  /** SERVFAIL: no nameserver answered the resolver, or the answer is not valid. */
  | { readonly kind: 'servfail' }
  /** The resolver could not be asked. */
  | { readonly kind: 'failed'; readonly reason: string };

export const NO_RESOLVER: Lookup = { kind: 'failed', reason: 'this service has no resolver for health checks' };

/** The records that were found; none for any other outcome. */
export function recordsOf(lookup: Lookup): readonly string[] {
  return lookup.kind === 'found' ? lookup.records : [];
}

/** Why it is not known whether there are records; undefined if it is known. */
export function failureOf(lookup: Lookup): string | undefined {
  if (lookup.kind === 'servfail') return 'the resolver responded SERVFAIL';
  return lookup.kind === 'failed' ? lookup.reason : undefined;
}
