import { createHash } from 'node:crypto';

/** A WebAuthn credential of a person (Web Authentication Level 3, section 4). */
export interface Passkey {
  /** The credential id, base64url. */
  readonly id: string;
  /** The person's id. */
  readonly userId: string;
  readonly name: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** The signature counter of the last use. It stays 0 for authenticators without one (section 6.1.1). */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Credential ids have up to 1,023 bytes, which is too long for an index. */
export function passkeyDigest(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
