import { createHash } from 'node:crypto';

const LONGEST_ID = 60;
const DIGEST_LENGTH = 40;

/** The clTRID of a command that changes something. */
export interface CommandId {
  readonly text: string;
  /** Says that the command has gone out. */
  sent(): void;
}

/**
 * The clTRIDs of one call of the port, all of them following from the id that was stored before it: the command that decides has
 * that id itself, those around it have it with a number.
 */
export class CommandIds {
  private readonly stem: string;
  private count = 1;
  private decided = false;
  private anySent = false;

  constructor(private readonly stored: string) {
    this.stem =
      stored.length <= LONGEST_ID ? stored : createHash('sha256').update(stored).digest('hex').slice(0, DIGEST_LENGTH);
  }

  /** Whether the call may have changed anything at the registry. */
  get mayHaveChangedSomething(): boolean {
    return this.anySent;
  }

  /** For the command that decides; where it has to be sent a second time, it is another command. */
  deciding(): CommandId {
    if (this.decided) return this.beside();
    this.decided = true;
    return this.id(this.stored);
  }

  /** For what has to happen before or after it. */
  beside(): CommandId {
    this.count += 1;
    return this.id(`${this.stem}-${this.count}`);
  }

  private id(text: string): CommandId {
    return {
      text,
      sent: () => {
        this.anySent = true;
      },
    };
  }
}
