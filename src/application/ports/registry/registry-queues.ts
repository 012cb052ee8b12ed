import type { RegistryMessage } from './registry-port';

/** What a registry tells by itself. Fails as `RegistryPort` does. */
export interface MessageQueue {
  /**
   * The oldest message that was not acknowledged, or undefined. The same one again until it is. One that makes no sense is
   * answered as `unreadable`, not failed with: nothing that comes after it could ever be heard.
   */
  poll(): Promise<RegistryMessage | undefined>;

  /** Takes a message off the queue, once what it says has been committed. An unknown id is success. @throws RegistryRejected where it stays */
  acknowledge(messageId: string): Promise<void>;
}

/** What one registry has to tell us, and nobody else. */
export interface RegistryQueue extends MessageQueue {
  /** The operator's name for the registry. */
  readonly registry: string;
}

/** The registries one by one: a message that one of them cannot get rid of must not keep those of the others. */
export interface RegistryQueues {
  queues(): readonly RegistryQueue[];
}
export const RegistryQueues = Symbol('RegistryQueues');
