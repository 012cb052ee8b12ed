import { SimulatedRegistry } from '../../../src/infrastructure/registry/sandbox/simulated/simulated-registry';
import { SqlRegistryStore } from '../../../src/infrastructure/registry/sandbox/simulated/store/sql-registry-store';
import { SystemClock } from '../../../src/infrastructure/system/system-clock';

/** Opens the simulated registry of a service in another process by the service's SQLite file, for faults and the ledger. */
export async function openSandboxRegistry(file: string): Promise<SimulatedRegistry> {
  const store = new SqlRegistryStore({ kind: 'sqlite', file: file.replace(/\.db$/, '-registry.db') });
  const registry = new SimulatedRegistry({ store, clock: new SystemClock(), currency: 'USD' });
  await registry.open();
  return registry;
}
