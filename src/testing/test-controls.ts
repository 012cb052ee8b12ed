import type { RegistryPort } from '../application/ports/registry/registry-port';
import type { DomainName } from '../domain/shared/domain-name';

/** The methods of the port that change something at the registry. */
export type ChangingCommand = keyof Pick<
  RegistryPort,
  | 'register'
  | 'renew'
  | 'setNameservers'
  | 'setRegistrant'
  | 'setTransferLock'
  | 'issueAuthCode'
  | 'withdrawAuthCode'
  | 'restore'
  | 'delete'
  | 'requestTransfer'
  | 'cancelTransfer'
  | 'approveTransfer'
  | 'rejectTransfer'
  | 'setDsRecords'
>;

/** A command that costs money. */
export type ChargedKind = 'registration' | 'renewal' | 'restore' | 'transfer';

/** What a test can do at the vendor's test system beyond the port. */
export interface TestControls {
  /** Advances the vendor's clock and applies every transition that falls due. */
  advance?(days: number): Promise<void>;
  /** Lets the next `command` on `name` take effect, and drops its response. */
  loseNextResponse?(name: DomainName, command: ChangingCommand): Promise<void>;
  /** Requests a transfer as another registrar. Returns whether the registry accepted it. */
  requestTransfer?(name: DomainName, authCode: string): Promise<boolean>;
  /** Registers a name under `tld` at another registrar, with a transfer lock if `locked`. */
  nameElsewhere?(options: { readonly tld: string; readonly locked: boolean }): Promise<NameElsewhere>;
  /**
   * Approves or rejects our pending transfer request as the registrar that loses the name, or cancels the request of the one
   * that gains it.
   */
  decideElsewhere?(name: DomainName, decision: 'approve' | 'reject' | 'cancel'): Promise<void>;
  /**
   * From now on, the vendor's reads show `name` as it is now, whatever commands change; its commands see the changes.
   * Returns the function that ends this.
   */
  lagReads?(name: DomainName): Promise<() => Promise<void>>;
  /** How many commands of this kind on `name` the vendor has charged us and not refunded. */
  charges?(name: DomainName, kind: ChargedKind): Promise<number>;
  /** How many transfers of a name the vendor has charged us and not refunded. */
  transferCharges?(name: DomainName): Promise<number>;
}

export interface NameElsewhere {
  readonly name: DomainName;
  readonly authCode: string;
  /** Its expiry, if the vendor does not show it to us. */
  readonly expiresAt?: Date;
}

export type TestControl = keyof TestControls;

export function requireControl<C extends TestControl>(
  controls: TestControls | undefined,
  name: C,
): NonNullable<TestControls[C]> {
  const control = controls?.[name]?.bind(controls);
  if (!control) throw new TypeError(`the option controls lists ${name}, but the registry under test does not have it`);
  return control as NonNullable<TestControls[C]>;
}
