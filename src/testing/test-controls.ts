import type { RegistryPort } from '../application/ports/registry/registry-port';
import type { DomainName } from '../domain/registration/domain-name';

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
>;

/** What a test can do at the vendor's test system beyond the port. */
export interface TestControls {
  /** Advances the vendor's clock and applies every transition that falls due. */
  advance?(days: number): Promise<void>;
  /** Lets the next `command` on `name` take effect, and drops its response. */
  loseNextResponse?(name: DomainName, command: ChangingCommand): Promise<void>;
  /** Requests a transfer as another registrar. Returns whether the registry accepted it. */
  requestTransfer?(name: DomainName, authCode: string): Promise<boolean>;
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
