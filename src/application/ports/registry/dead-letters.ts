import { token } from '../inject';

/** A registry message that could not be processed. */
export interface DeadLetter {
  readonly registry: string;
  /** The registry's message id, of any length. */
  readonly messageId: string;
  /** The adapter's message as JSON, with long texts shortened. May hold secrets: never logged. */
  readonly message: string;
  readonly receivedAt: Date;
}

/** Dead letters kept per registry. */
export const MAX_DEAD_LETTERS = 1_000;

/** Used within a unit of work. */
export interface DeadLetters {
  /** Stores a message before it is acknowledged. A repetition changes nothing. Above `MAX_DEAD_LETTERS`, deletes the oldest. */
  keep(message: DeadLetter): Promise<void>;
}

/** Reads committed state. */
export interface DeadLetterReader {
  /** Of all registries, newest first. */
  latest(limit: number): Promise<readonly DeadLetter[]>;
  find(registry: string, messageId: string): Promise<DeadLetter | undefined>;
}
export const DeadLetterReader = token<DeadLetterReader>('DeadLetterReader');
