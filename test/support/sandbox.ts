import { RegistryPort } from '../../src/application/ports/registry-port';
import { SimulatedRegistry } from '../../src/infrastructure/registry/simulated/simulated-registry';
import type { TestService } from './service';

/** The simulated registry of a service in this process, to inject faults into and to read the ledger of. */
export function sandboxOf({ container }: TestService): SimulatedRegistry {
  const registry = container.get<RegistryPort>(RegistryPort);
  if (!(registry instanceof SimulatedRegistry)) throw new TypeError('the service runs on another registry');
  return registry;
}
