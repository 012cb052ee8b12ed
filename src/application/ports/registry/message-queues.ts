import { token } from '../inject';
import type { RegistryMessage } from './registry-port';

/** A registry's message queue (EPP's poll). Errors as in `RegistryPort`. */
export interface MessageQueue {
  /**
   * Returns the oldest unacknowledged message, or undefined. Repeatable.
   * A message that cannot be parsed is returned as `unreadable`: an error would block the queue.
   */
  poll(): Promise<RegistryMessage | undefined>;

  /** Removes a message after its effect is committed. An unknown id succeeds. @throws RegistryRejected if the message stays in the queue */
  acknowledge(messageId: string): Promise<void>;
}

export interface RegistryMessageQueue extends MessageQueue {
  /** The registry's name in the registries file. */
  readonly registry: string;
}

/** One queue per registry, so that a message that blocks one queue does not block the others. */
export interface MessageQueues {
  queues(): readonly RegistryMessageQueue[];
}
export const MessageQueues = token<MessageQueues>('MessageQueues');

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
  /** Stores a message before it is acknowledged. A repetition changes nothing. Above `MAX_DEAD_LETTERS`, deletes the oldest. Returns whether it is new. */
  keep(message: DeadLetter): Promise<boolean>;
}

/** Reads committed state. */
export interface DeadLetterReader {
  /** Of all registries, newest first. */
  latest(limit: number): Promise<readonly DeadLetter[]>;
  find(registry: string, messageId: string): Promise<DeadLetter | undefined>;
}
export const DeadLetterReader = token<DeadLetterReader>('DeadLetterReader');
