import { token } from '../inject';

/** Time-based one-time passwords (RFC 6238): six digits, SHA-1, steps of 30 seconds. */
export interface OneTimePasswords {
  /** A new secret of 160 bits, in Base32. */
  createSecret(): string;
  /** The otpauth: URI that an authenticator app reads from a QR code. */
  uriOf(secret: string, email: string): string;
  /**
   * The time step of the code, which may be one step early or late; undefined if the code is wrong or its step is not after
   * `lastStep`. Compares in constant time.
   */
  findStep(secret: string, code: string, now: Date, lastStep: number): number | undefined;
}
export const OneTimePasswords = token<OneTimePasswords>('OneTimePasswords');
