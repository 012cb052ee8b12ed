import { randomInt } from 'node:crypto';

/** Without characters that look alike, or that forms, shells and quotation marks change. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-';
const ONE_OF_EACH = [/[A-Z]/, /[a-z]/, /\d/, /^[^-].*-.*[^-]$/];
const LENGTH = 25;

/** A random auth code of 146 bits (RFC 9154), with at least one character of each kind, as registries require. */
export function generateAuthCode(): string {
  for (;;) {
    const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    if (ONE_OF_EACH.every((kind) => kind.test(code))) return code;
  }
}
