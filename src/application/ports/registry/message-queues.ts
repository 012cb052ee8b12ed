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
