import type { DomainName } from '../../../domain/shared/domain-name';
import type { RegistryPort, RegistryMessage } from './registry-port';
import { token } from '../inject';

export interface RegistryCapacity {
  /** The registry's name in the registries file. */
  readonly registry: string;
  /** Concurrent calls to the registry from each process. Further calls wait. */
  readonly concurrency: number;
}

/** Which registry serves a name, so that calls waiting for one registry do not delay the others. */
export interface RegistryDirectory {
  /** Undefined if no registry serves the name's TLD (any more). */
  registryFor(name: DomainName): RegistryCapacity | undefined;
}
export const RegistryDirectory = token<RegistryDirectory>('RegistryDirectory');

/** Shares each registry's capacity fairly between accounts. */
export interface AccountRegistries {
  /** All registries behind one port whose calls count for the account. */
  forAccount(accountId: string): RegistryPort;
}
export const AccountRegistries = token<AccountRegistries>('AccountRegistries');

/** The names that our account holds at a registry. Errors as in `RegistryPort`. */
export interface NameListing {
  /**
   * Returns a page of the names that our account holds at the registry, in a stable order. Repeatable. A name that is
   * registered or lost between two pages may be missing or appear twice. Feature `list`.
   * @param cursor `next` of the page before; the first page if absent
   */
  list(cursor?: string): Promise<NamePage>;
}

export interface RegistryNameListing extends NameListing {
  /** The registry's name in the registries file. */
  readonly registry: string;
  /** Ids of the accounts that may import names, from the registries file. */
  readonly accounts: readonly string[];
}

/** One listing per registry, for import and reconciliation. */
export interface NameListings {
  listings(): readonly RegistryNameListing[];
}
export const NameListings = token<NameListings>('NameListings');

/** A name in a listing, with what the listing contains without a call for each name. */
export interface ListedName {
  readonly name: DomainName;
  readonly expiresAt: Date;
}

/** An entry of a list that cannot be used, such as a name without an expiry: reported, so that it does not hide the others. */
export interface SkippedName {
  /** The name, or where it is: `line 7`. */
  readonly name: string;
  readonly reason: string;
}

export interface NamePage {
  readonly names: readonly ListedName[];
  readonly skipped?: readonly SkippedName[];
  /** The cursor of the next page; absent on the last. */
  readonly next?: string;
}

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
