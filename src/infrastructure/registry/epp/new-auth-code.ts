import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-';
const ONE_OF_EACH = [/[A-Z]/, /[a-z]/, /\d/, /^[^-].*-.*[^-]$/];
const LENGTH = 25;

/**
 * An auth code as RFC 9154 asks: 146 random bits, in characters that no form, shell or quotation mark spoils and that
 * nobody mistakes for another. One of each kind is in it, since registries ask for that, too.
 */
export function newAuthCode(): string {
  for (;;) {
    const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    if (ONE_OF_EACH.every((kind) => kind.test(code))) return code;
  }
}
