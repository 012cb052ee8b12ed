/** A message that could not be acted upon. */
export interface DeadLetter {
  readonly registry: string;
  /** The registry's own, of any length. */
  readonly messageId: string;
  /** It as JSON, its longest texts shortened, whatever its adapter made of it. May hold secrets: no log has it. */
  readonly message: string;
  readonly receivedAt: Date;
}

/** How many messages of one registry are kept; the oldest make room. */
export const MAX_DEAD_LETTERS = 1_000;

/** Within a unit of work. Kept for a person to read. */
export interface DeadLetters {
  /** Keeps a message before it is acknowledged; one of that registry and id that is kept already stays as it is. Beyond `MAX_DEAD_LETTERS` the oldest are removed. */
  keep(message: DeadLetter): Promise<void>;
}

/** Reads committed state. */
export interface DeadLetterReader {
  /** The latest of all registries, newest first. */
  latest(limit: number): Promise<readonly DeadLetter[]>;
  find(registry: string, messageId: string): Promise<DeadLetter | undefined>;
}
export const DeadLetterReader = Symbol('DeadLetterReader');
