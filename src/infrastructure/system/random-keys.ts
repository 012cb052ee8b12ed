import { randomBytes } from 'node:crypto';
import type { KeyGenerator } from '../../application/ports/access/key-generator';
import { ApiKeyToken } from '../../domain/access/api-key-token';

const KEY_ID_BYTES = 9;
const SECRET_BYTES = 32;

export class RandomKeys implements KeyGenerator {
  next(): ApiKeyToken {
    return new ApiKeyToken(randomKeyId(), randomBytes(SECRET_BYTES).toString('base64url'));
  }
}

/** Begins with a letter or a digit, so that a shell never takes it for an option. */
function randomKeyId(): string {
  for (;;) {
    const id = randomBytes(KEY_ID_BYTES).toString('base64url');
    if (/^[A-Za-z0-9]/.test(id)) return id;
  }
}
