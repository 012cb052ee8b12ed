import type { TokenGenerator } from '../../../src/application/ports/access/users';

/** The same tokens and passwords in every run, no two of them alike. */
export class SequentialTokens implements TokenGenerator {
  private last = 0;

  token(): string {
    return this.next().padStart(43, 't');
  }

  password(): string {
    return `aaaa-bbbb-cccc-dddd-${this.next().padStart(4, 'e')}`;
  }

  private next(): string {
    this.last += 1;
    return String(this.last);
  }
}
