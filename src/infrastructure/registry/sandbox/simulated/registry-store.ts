import type { RegistryFault } from '../../../../application/ports/registry/registry-sandbox';
import type { Charge, Notice, Outcome, Registration } from './registration';

/** Where the registry keeps what it knows. Implemented on SQL here, in memory for unit tests. */
export interface RegistryStore {
  open(): Promise<void>;
  close(): Promise<void>;
  /** Committed state. */
  read<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T>;
  /** All or nothing. `work` may run more than once (deadlocks), so it does nothing but talk to `records`. */
  change<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T>;
}

export interface RegistryRecords {
  /** How far the registry's clock is ahead of real time, in milliseconds. */
  clockOffset(): Promise<number>;
  moveClock(milliseconds: number): Promise<void>;

  find(names: readonly string[]): Promise<readonly Registration[]>;
  /** As `find`, and nobody else changes it until the change ends. */
  lock(names: readonly string[]): Promise<readonly Registration[]>;
  /** Names with something due by `now`, the longest due first. */
  due(now: Date, limit: number): Promise<readonly string[]>;
  /** Answers false where the name is there already. */
  add(registration: Registration): Promise<boolean>;
  save(registration: Registration): Promise<void>;
  remove(name: string): Promise<void>;

  /** Remembers a transaction id for ever. Answers false where it was used before. */
  useTransactionId(registrar: string, transactionId: string, at: Date): Promise<boolean>;

  book(charges: readonly Charge[]): Promise<void>;
  /** Oldest first; of one name only where it is given. */
  charges(registrar: string, name?: string): Promise<readonly Charge[]>;

  notify(notices: readonly Notice[]): Promise<void>;
  oldestNotice(registrar: string): Promise<QueuedNotice | undefined>;
  countNotices(registrar: string): Promise<number>;
  dropNotice(registrar: string, id: string): Promise<void>;

  faults(): Promise<readonly StoredFault[]>;
  addFault(fault: Omit<StoredFault, 'id'>): Promise<void>;
  /** Uses the fault up by one. Answers false where it was used up already. */
  useFault(id: string): Promise<boolean>;
  clearFaults(): Promise<void>;
}

export interface QueuedNotice extends Notice {
  readonly id: string;
}

export interface StoredFault {
  readonly id: string;
  readonly kind: RegistryFault['kind'] | WireFault;
  /** A TLD, a name, or everything where null. */
  readonly target: string | null;
  /** How many commands it still meets; null for no end. */
  readonly remaining: number | null;
  readonly milliseconds: number;
}

/** What can happen on the wire to the EPP front, at most 12 letters each. */
export type WireFault =
  'drop_before' | 'drop_after' | 'delay' | 'failure' | 'crowded' | 'malformed' | 'idle_close' | 'twice' | 'refusal';

/** Writes down what a command or the passing of time left of `before`. */
export async function record(
  records: RegistryRecords,
  before: Registration,
  { registration, charges, notices }: Outcome,
): Promise<void> {
  if (!registration) await records.remove(before.name);
  else if (registration !== before) await records.save(registration);
  if (charges.length > 0) await records.book(charges);
  if (notices.length > 0) await records.notify(notices);
}
