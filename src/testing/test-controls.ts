import type { RegistryPort } from '../application/ports/registry/registry-port';
import type { DomainName } from '../domain/registration/domain-name';

/** The commands that change something. */
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

/** What a vendor's test system lets a test do beyond the port. */
export interface TestControls {
  /** Moves the vendor's clock ahead; what falls due on the way happens. */
  advance?(days: number): Promise<void>;
  /** Has the next such command on `name` take effect, and its answer get lost. */
  loseNextAnswer?(name: DomainName, command: ChangingCommand): Promise<void>;
  /** Another registrar asks for the name. Answers whether that was accepted. */
  requestTransfer?(name: DomainName, authCode: string): Promise<boolean>;
}

/** The hands that a vendor's test system has. */
export type TestControl = keyof TestControls;

export function controlOf<H extends TestControl>(
  controls: TestControls | undefined,
  hand: H,
): NonNullable<TestControls[H]> {
  const found = controls?.[hand]?.bind(controls);
  if (!found) throw new TypeError(`the registry under test was said to have the hand ${hand}`);
  return found as NonNullable<TestControls[H]>;
}
