import { token } from '../inject';

/** Encrypts secrets that must be read back in clear, such as TSIG secrets, before they are stored. */
export interface SecretBox {
  /**
   * Encrypts `text` for one `purpose` such as `tsig:key-1`, so that a secret cannot be moved to another row. Not
   * deterministic.
   */
  seal(text: string, purpose: string): string;
  /** Decrypts. @throws SealBroken for a different purpose or key, or a changed text */
  open(sealed: string, purpose: string): string;
}
export const SecretBox = token<SecretBox>('SecretBox');

/** The text cannot be decrypted, most likely because SECRET_KEY was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}
