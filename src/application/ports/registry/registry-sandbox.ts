import type { DomainName } from '../../../domain/registration/domain-name';
import type { Money } from '../../../domain/shared/money';

/** The sandbox's time goes no further: expiries ten years later still have four digits in their year. */
export const LATEST_SANDBOX_TIME = new Date('2200-01-01T00:00:00.000Z');

/** The hands on a simulated registry that a real one does not offer: its time, its faults, its other registrars, its books. */
export interface RegistrySandbox {
  /** The registry's own time: real time, and what it was moved ahead by. Any process may have moved it. */
  time(): Promise<Date>;

  /** Moves the registry's clock ahead; what falls due on the way happens in order. Returns the new time. @throws RangeError beyond `LATEST_SANDBOX_TIME` */
  advance(days: number): Promise<Date>;

  /** Adds a fault, or removes all with `clearFaults`. Faults hold until they are used up or cleared. */
  injectFault(fault: RegistryFault): Promise<void>;
  /** Those that still hold, with how many commands they still meet, oldest first. */
  faults(): Promise<readonly RegistryFault[]>;
  clearFaults(): Promise<void>;

  /**
   * The gaining registrar's request; the name is transferred when its TLD's transfer period ends. Answers when that is.
   * @throws RegistryRejected (`policy` for a wrong or expired code, or a locked name; `status` where a transfer is
   *   pending already or the name is on its way out; `not_held` where nobody holds it).
   */
  transferOut(name: DomainName, authCode: string): Promise<Date>;

  /** Everything that was charged or refunded, or of one name only, oldest first. */
  ledger(name?: DomainName): Promise<readonly LedgerEntry[]>;
}
export const RegistrySandbox = Symbol('RegistrySandbox');

export const REGISTRY_FAULTS = ['latency', 'refuse', 'lose_answer', 'outage'] as const;

export interface RegistryFault {
  /**
   * `latency` delays answers by `milliseconds`; `refuse` rejects; `lose_answer` takes effect but answers nothing; `outage` does nothing and answers nothing.
   * `refuse` and `lose_answer` meet only commands that change something, so that a search does not use them up.
   */
  readonly kind: (typeof REGISTRY_FAULTS)[number];
  /** Which names it meets: a TLD (`com`), a name, or everything where absent. */
  readonly target?: string;
  /** How many commands it meets; until cleared where absent. */
  readonly times?: number;
  readonly milliseconds?: number;
}

export interface LedgerEntry {
  readonly at: Date;
  readonly kind: 'register' | 'renew' | 'auto_renew' | 'restore' | 'refund';
  readonly name: DomainName;
  readonly years: number;
  /** Negative for refunds. */
  readonly amount: Money;
  /** The command that caused it; null where time alone did. */
  readonly transactionId: string | null;
}
