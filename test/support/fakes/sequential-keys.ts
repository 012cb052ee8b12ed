import type { KeyGenerator } from '../../../src/application/ports/access/accounts-and-api-keys';
import { ApiKeyToken } from '../../../src/domain/access/api-key';

/** The same keys in every run, no two of them alike. */
export class SequentialKeys implements KeyGenerator {
  private last = 0;

  constructor(private readonly prefix = 'nw') {}

  next(): ApiKeyToken {
    this.last += 1;
    const number = String(this.last);
    return new ApiKeyToken(number.padStart(12, 'k'), number.padStart(43, 's'));
  }

  textOf(token: ApiKeyToken): string {
    return token.toText(this.prefix);
  }
}
