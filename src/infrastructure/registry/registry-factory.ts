import type { Clock } from '../../application/ports/clock';
import type { RegistryPort } from '../../application/ports/registry-port';
import type { RegistrySandbox } from '../../application/ports/registry-sandbox';
import type { DatabaseLocation } from '../persistence/data-source';
import { SimulatedRegistry } from './simulated/simulated-registry';
import { SqlRegistryStore } from './simulated/sql-registry-store';

/** What any adapter may need to start. */
export interface RegistrySettings {
  readonly clock: Clock;
  /** ISO 4217; an adapter whose prices are in another refuses to start. */
  readonly currency: string;
  /** The service's own database, for an adapter that keeps a store of its own beside it. */
  readonly beside: DatabaseLocation;
}

export interface RunningRegistry {
  readonly port: RegistryPort;
  /** Only a simulated registry has one. */
  readonly sandbox?: RegistrySandbox;
  /** The time in which this registry's names live, where it can differ from real time. */
  readonly clock?: Clock;
  close(): Promise<void>;
}

export const REGISTRY_ADAPTERS = {
  simulated: async ({ clock, currency, beside }: RegistrySettings): Promise<RunningRegistry> => {
    const location = beside.kind === 'sqlite' ? { ...beside, file: beside.file.replace(/(\.db)?$/, '-registry.db') } : beside;
    const registry = new SimulatedRegistry({ store: new SqlRegistryStore(location), clock, currency });
    await registry.open();
    return { port: registry, sandbox: registry, clock: registry.clock, close: () => registry.close() };
  },
} satisfies Record<string, (settings: RegistrySettings) => Promise<RunningRegistry>>;

export type RegistryAdapterName = keyof typeof REGISTRY_ADAPTERS;
