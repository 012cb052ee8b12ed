import type { RegistryFault } from '../../../../../application/ports/registry/registry-sandbox';
import type { Charge, Notice, Outcome, Registration } from '../registration';

/** The registry's storage. */
export interface RegistryStore {
  open(): Promise<void>;
  close(): Promise<void>;
  /** Reads committed state. */
  read<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T>;
  /** Runs a transaction. `work` may run again after a deadlock, so it must have no other effects. */
  change<T>(work: (records: RegistryRecords) => Promise<T>): Promise<T>;
}

export interface RegistryRecords {
  /** How far the clock is ahead of real time, in milliseconds. */
  clockOffset(): Promise<number>;
  moveClock(milliseconds: number): Promise<void>;

  find(names: readonly string[]): Promise<readonly Registration[]>;
  /** Like `find`, with a lock until the transaction ends. */
  lock(names: readonly string[]): Promise<readonly Registration[]>;
  /** The registrations that a registrar sponsors, by name, after the name `after`. */
  sponsoredBy(registrar: string, after: string, limit: number): Promise<readonly Registration[]>;
  /** The registrations of all registrars by name, after the name `after`. */
  after(after: string, limit: number): Promise<readonly Registration[]>;
  /** Names with a transition due by `now`, earliest first. */
  due(now: Date, limit: number): Promise<readonly string[]>;
  /** Returns false if the name exists. */
  add(registration: Registration): Promise<boolean>;
  save(registration: Registration): Promise<void>;
  remove(name: string): Promise<void>;

  /** Stores a transaction id. Returns false if it was used before. */
  useTransactionId(registrar: string, transactionId: string, at: Date): Promise<boolean>;

  book(charges: readonly Charge[]): Promise<void>;
  /** Oldest first; of one name if given. */
  charges(registrar: string, name?: string): Promise<readonly Charge[]>;

  /** Whether there are charges or transaction ids of `before` or earlier. */
  hasExpired(before: Date): Promise<boolean>;
  /** Removes about `limit` of the oldest of each, always at least one. */
  removeExpired(before: Date, limit: number): Promise<void>;

  notify(notices: readonly Notice[]): Promise<void>;
  oldestNotice(registrar: string): Promise<QueuedNotice | undefined>;
  countNotices(registrar: string): Promise<number>;
  dropNotice(registrar: string, id: string): Promise<void>;

  faults(): Promise<readonly StoredFault[]>;
  addFault(fault: Omit<StoredFault, 'id'>): Promise<void>;
  /** Decrements the fault's remaining uses. Returns false if none is left. */
  useFault(id: string): Promise<boolean>;
  clearFaults(): Promise<void>;
}

export interface QueuedNotice extends Notice {
  readonly id: string;
}

export interface StoredFault {
  readonly id: string;
  readonly kind: RegistryFault['kind'] | WireFault;
  /** A TLD or a name; null for all. */
  readonly target: string | null;
  /** Remaining uses; null for unlimited. */
  readonly remaining: number | null;
  readonly milliseconds: number;
}

/** Faults of the EPP server. At most 12 letters each. */
export type WireFault =
  | 'drop_before'
  | 'drop_after'
  | 'delay'
  | 'failure'
  | 'session_limit'
  | 'malformed'
  | 'idle_close'
  | 'redeliver'
  | 'refusal';

/** Stores the outcome of a command or transition. */
export async function saveOutcome(
  records: RegistryRecords,
  before: Registration,
  { registration, charges, notices }: Outcome,
): Promise<void> {
  if (!registration) await records.remove(before.name);
  else if (registration !== before) await records.save(registration);
  if (charges.length > 0) await records.book(charges);
  if (notices.length > 0) await records.notify(notices);
}
