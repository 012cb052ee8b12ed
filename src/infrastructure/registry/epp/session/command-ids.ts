import { createHash } from 'node:crypto';

const MAX_STEM_LENGTH = 60;
const DIGEST_LENGTH = 40;

/** The clTRID of a transform command. */
export interface CommandId {
  readonly text: string;
  /** Records that the command was sent. */
  sent(): void;
}

/** The clTRIDs of one call of the port, derived from the stored transaction id: the main command has it, others add a number. */
export class CommandIds {
  private readonly stem: string;
  private count = 1;
  private isMainUsed = false;
  private anySent = false;

  constructor(private readonly transactionId: string) {
    this.stem =
      transactionId.length <= MAX_STEM_LENGTH
        ? transactionId
        : createHash('sha256').update(transactionId).digest('hex').slice(0, DIGEST_LENGTH);
  }

  /** Whether the call may have changed anything at the registry. */
  get mayHaveChangedSomething(): boolean {
    return this.anySent;
  }

  /** For the main command. A second one gets an additional id. */
  main(): CommandId {
    if (this.isMainUsed) return this.additional();
    this.isMainUsed = true;
    return this.id(this.transactionId);
  }

  /** For a command before or after the main one. */
  additional(): CommandId {
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
