import { randomBytes } from 'node:crypto';
import type { KeyGenerator } from '../../../application/ports/access/accounts-and-api-keys';
import { ApiKeyToken } from '../../../domain/access/api-key';

const KEY_ID_BYTES = 9;
const SECRET_BYTES = 32;

export class RandomKeys implements KeyGenerator {
  constructor(private readonly prefix: string) {}

  next(): ApiKeyToken {
    return new ApiKeyToken(randomKeyId(), randomBytes(SECRET_BYTES).toString('base64url'));
  }

  textOf(token: ApiKeyToken): string {
    return token.toText(this.prefix);
  }
}

/** Starts with a letter or digit: commands would parse a leading hyphen as an option. */
function randomKeyId(): string {
  for (;;) {
    const id = randomBytes(KEY_ID_BYTES).toString('base64url');
    if (/^[A-Za-z0-9]/.test(id)) return id;
  }
}
