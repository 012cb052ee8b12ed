import { createHash } from 'node:crypto';

const LONGEST_ID = 60;
const DIGEST_LENGTH = 40;

/**
 * The clTRIDs of one call, all of them following from the id that was stored before it: the command that decides has
 * that id itself, those around it have it with a number.
 */
export class CommandIds {
  private readonly stem: string;
  private count = 1;
  private decided = false;

  constructor(private readonly stored: string) {
    this.stem = stored.length <= LONGEST_ID ? stored : createHash('sha256').update(stored).digest('hex').slice(0, DIGEST_LENGTH);
  }

  /** For the command that decides; where it has to be sent a second time, it is another command. */
  deciding(): string {
    if (this.decided) return this.beside();
    this.decided = true;
    return this.stored;
  }

  /** For what has to happen before or after it. */
  beside(): string {
    this.count += 1;
    return `${this.stem}-${this.count}`;
  }
}
