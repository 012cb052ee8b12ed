import type { RegistrySandbox } from '../../../application/ports/registry/registry-sandbox';
import type { RegistryGuard } from './registry-guard';

/** The sandbox of a guarded registry. Clearing the faults also closes the circuit breaker, so the next call is sent at once. */
export function guardedSandbox(sandbox: RegistrySandbox, guard: RegistryGuard): RegistrySandbox {
  return {
    time: async () => sandbox.time(),
    advance: async (days) => sandbox.advance(days),
    injectFault: async (fault) => sandbox.injectFault(fault),
    faults: async () => sandbox.faults(),
    clearFaults: async () => {
      await sandbox.clearFaults();
      guard.closeBreaker();
    },
    registerElsewhere: async (name, options) => sandbox.registerElsewhere(name, options),
    transferOut: async (name, authCode) => sandbox.transferOut(name, authCode),
    decideElsewhere: async (name, decision) => sandbox.decideElsewhere(name, decision),
    ledger: async (name) => sandbox.ledger(name),
  };
}
