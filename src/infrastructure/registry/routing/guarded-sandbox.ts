import type { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import type { RegistryGuard } from './registry-guard';

/** The hands on a registry behind a guard. Once the faults are cleared it is asked at once, however long it was silent. */
export function guardedSandbox(sandbox: RegistrySandbox, guard: RegistryGuard): RegistrySandbox {
  return {
    time: async () => sandbox.time(),
    advance: async (days) => sandbox.advance(days),
    injectFault: async (fault) => sandbox.injectFault(fault),
    faults: async () => sandbox.faults(),
    clearFaults: async () => {
      await sandbox.clearFaults();
      guard.trust();
    },
    transferOut: async (name, authCode) => sandbox.transferOut(name, authCode),
    ledger: async (name) => sandbox.ledger(name),
  };
}
