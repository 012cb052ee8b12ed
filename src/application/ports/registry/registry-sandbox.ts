import { token } from '../inject';
import type { DomainName } from '../../../domain/shared/domain-name';
import type { Money } from '../../../domain/shared/money';
import type { AuthCode } from './registry-port';

/** The sandbox's clock stops here: expiries ten years later still have a four-digit year. */
export const LATEST_SANDBOX_TIME = new Date('2200-01-01T00:00:00.000Z');

/** Controls of the simulated registry that a real registry does not offer: clock, faults, another registrar, ledger. */
export interface RegistrySandbox {
  /** The registry's time: real time plus the advanced days. Any process may advance it. */
  time(): Promise<Date>;

  /** Advances the clock and applies every transition that falls due, in order. Returns the new time. @throws RangeError beyond `LATEST_SANDBOX_TIME` */
  advance(days: number): Promise<Date>;

  /** Adds a fault. It is active until it is used up or cleared. */
  injectFault(fault: RegistryFault): Promise<void>;
  /** Active faults with their remaining `times`, oldest first. */
  faults(): Promise<readonly RegistryFault[]>;
  clearFaults(): Promise<void>;

  /**
   * Registers a name at another registrar for the shortest term. Returns the auth code that transfers it to us, unless
   * `locked`. @throws RegistryRejected (`unavailable`)
   */
  registerElsewhere(name: DomainName, options?: { readonly locked?: boolean }): Promise<AuthCode>;

  /**
   * Requests a transfer as another registrar. It completes at the end of the TLD's transfer period, which is returned.
   * @throws RegistryRejected (`auth_code`: wrong or expired; `status`: a locked name, a pending transfer or a name that is
   *   being deleted; `not_held`: an unregistered name)
   */
  transferOut(name: DomainName, authCode: string): Promise<Date>;

  /**
   * Approves or rejects our transfer request as the other registrar that loses the name, or cancels the request of the other
   * registrar that gains it. Without a decision a transfer completes at the end of the TLD's transfer period.
   * @throws RegistryRejected (`status`: no transfer is pending; `not_held`: it is not the other registrar's decision)
   */
  decideElsewhere(name: DomainName, decision: TransferDecision): Promise<void>;

  /** All charges and refunds, or those of one name, oldest first. */
  ledger(name?: DomainName): Promise<readonly LedgerEntry[]>;
}
export const RegistrySandbox = token<RegistrySandbox>('RegistrySandbox');

export const TRANSFER_DECISIONS = ['approve', 'reject', 'cancel'] as const;
export type TransferDecision = (typeof TRANSFER_DECISIONS)[number];

export const REGISTRY_FAULTS = ['latency', 'refuse', 'lose_answer', 'outage'] as const;

export interface RegistryFault {
  /**
   * `latency` delays responses by `milliseconds`; `refuse` rejects; `lose_answer` executes and does not respond; `outage`
   * neither executes nor responds. `refuse` and `lose_answer` apply to commands only, so that a search does not use them up.
   */
  readonly kind: (typeof REGISTRY_FAULTS)[number];
  /** A TLD (`com`) or a name; all names if absent. */
  readonly target?: string;
  /** How many calls it applies to; until cleared if absent. */
  readonly times?: number;
  readonly milliseconds?: number;
}

export interface LedgerEntry {
  readonly at: Date;
  readonly kind: 'register' | 'renew' | 'auto_renew' | 'restore' | 'transfer' | 'refund';
  readonly name: DomainName;
  readonly years: number;
  /** Negative for refunds. */
  readonly amount: Money;
  /** The command that caused it, for a transfer its request; null for a transition that time caused. */
  readonly transactionId: string | null;
}
