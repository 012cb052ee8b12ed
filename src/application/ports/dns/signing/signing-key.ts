/**
 * The CDS and CDNSKEY records at the apex (RFC 7344): none, one of each for every key that is not retired, or the ones that ask the
 * parent to delete the DS records (RFC 8078, section 4).
 */
export type CdsContent = 'none' | 'keys' | 'delete';

/** A key of a zone without its secret. It is published as a DNSKEY record and signs every RRset until it is removed. */
export interface SigningKey {
  readonly id: string;
  /** DNS security algorithm number; 13 is ECDSA P-256 with SHA-256 (RFC 6605). */
  readonly algorithm: number;
  readonly keyTag: number;
  /** Base64, as in the DNSKEY record. */
  readonly publicKey: string;
  readonly createdAt: Date;
  /** Since then it is not in the CDS records, because another key replaces it. */
  readonly retiredAt: Date | null;
}

/** A key that is not stored yet. */
export interface NewSigningKey extends Omit<SigningKey, 'createdAt' | 'retiredAt'> {
  readonly sealedPrivateKey: string;
}
