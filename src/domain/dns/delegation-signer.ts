/** A DS record at the registry (RFC 4034 section 5), with the key that it was made from if known. */
export interface DelegationSigner {
  readonly keyTag: number;
  /** DNS security algorithm number (RFC 8624). */
  readonly algorithm: number;
  /** 2 is SHA-256, 4 is SHA-384. */
  readonly digestType: number;
  /** Upper-case hexadecimal. */
  readonly digest: string;
  /** For registries that take keys and compute the DS record themselves (RFC 5910 section 4.2). */
  readonly key?: DnsKey;
}

/** A DNSKEY record (RFC 4034 section 2). Protocol is always 3. */
export interface DnsKey {
  readonly flags: number;
  readonly algorithm: number;
  /** Base64. */
  readonly publicKey: string;
}
