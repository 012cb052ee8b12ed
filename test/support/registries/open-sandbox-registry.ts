import type { DatabaseLocation } from '../../../src/infrastructure/persistence/database/database-location';
import { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';

/**
 * Opens the simulated registry of a service in another process by the service's SQLite file or database, for faults and the
 * ledger.
 */
export async function openSandboxRegistry(service: string | DatabaseLocation): Promise<SimulatedRegistry> {
  const location = typeof service === 'string' ? ({ kind: 'sqlite', file: service } as const) : service;
  const store = new SqlRegistryStore(
    location.kind === 'mysql' ? location : { ...location, file: location.file.replace(/\.db$/, '-registry.db') },
  );
  const registry = new SimulatedRegistry({ store, clock: new SystemClock(), currency: 'USD' });
  await registry.open();
  return registry;
}
