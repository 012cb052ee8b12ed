/**
 * Keeps what must be stored and read back in clear (a TSIG secret, an answer that holds an auth code) unreadable in the
 * database and in its back-ups.
 */
export interface SecretBox {
  /**
   * Encrypts `text` for `purpose`, which says where it belongs (`tsig:key-1`): what was sealed for one purpose does not
   * open for another, so a row's secret cannot be moved to another row. Sealing twice gives two different texts.
   */
  seal(text: string, purpose: string): string;
  /** @throws SealBroken for another purpose, another key, or a text that was changed */
  open(sealed: string, purpose: string): string;
}
export const SecretBox = Symbol('SecretBox');

/** The text cannot be opened; a person must find out whether SECRET_KEY was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}
