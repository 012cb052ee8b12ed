import type { LifecycleClock } from '../../../src/application/ports/system';
import type { RegistrySandbox } from '../../../src/application/ports/registry/registry-sandbox';

/** A registry in another server, for suites that do not choose one. */
export interface ExternalRegistry {
  readonly settings: Readonly<Record<string, string>>;
  readonly sandbox: RegistrySandbox;
  /** The registry's time. */
  readonly clock: LifecycleClock;
  stop(): Promise<void>;
}

let opened: (() => Promise<ExternalRegistry>) | undefined;

/** Runs every service of this test file with a separate registry from `open`. Call it before importing suites. */
export function runServicesOn(open: () => Promise<ExternalRegistry>): void {
  opened = open;
}

/** Suites then run on one database only, because the registry does not depend on it. */
export function isRegistryExternal(): boolean {
  return opened !== undefined;
}

/** Undefined if services use the default registry. */
export async function externalRegistry(): Promise<ExternalRegistry | undefined> {
  return opened?.();
}
