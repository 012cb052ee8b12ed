import { createHash } from 'node:crypto';

/** How many codes a user gets at a time. */
export const RECOVERY_CODES = 10;

/** As a user may type it: in any case, with spaces. */
function normalize(text: string): string {
  return text.replace(/[\s-]/g, '').toLowerCase();
}

/** The stored digest of a person's code. SHA-256 is sufficient because a code has 100 random bits (docs/decisions/0003). */
export function recoveryCodeDigest(personId: string, code: string): string {
  return createHash('sha256')
    .update(JSON.stringify([personId, normalize(code)]))
    .digest('hex');
}
