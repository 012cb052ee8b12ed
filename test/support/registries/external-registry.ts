import type { Clock } from '../../../src/application/ports/system/clock';
import type { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';

/** A registry outside the service, for services whose suite does not say which. */
export interface ExternalRegistry {
  readonly settings: Readonly<Record<string, string>>;
  readonly sandbox: RegistrySandbox;
  /** The time in which its names live. */
  readonly clock: Clock;
  stop(): Promise<void>;
}

let opened: (() => Promise<ExternalRegistry>) | undefined;

/** Runs every service of this test file with a separate registry from `open`. Call it before importing suites. */
export function runServicesOn(open: () => Promise<ExternalRegistry>): void {
  opened = open;
}

/** What a registry does and where we store it have nothing to do with each other: one database is enough with such a registry. */
export function isRegistryExternal(): boolean {
  return opened !== undefined;
}

/** Undefined where services have the registry that the product starts with. */
export async function externalRegistry(): Promise<ExternalRegistry | undefined> {
  return opened?.();
}
