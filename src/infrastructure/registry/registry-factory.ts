import type { Clock } from '../../application/ports/clock';
import type { RegistryPort } from '../../application/ports/registry-port';
import { Database } from '../persistence/database';
import type { DatabaseLocation } from '../persistence/data-source';
import { REGISTRY_CONTENT } from './simulated/registry-schema';
import { SimulatedRegistry } from './simulated/simulated-registry';

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
  close(): Promise<void>;
}

export const REGISTRY_ADAPTERS = {
  simulated: async ({ clock, currency, beside }: RegistrySettings): Promise<RunningRegistry> => {
    const location = beside.kind === 'sqlite' ? { ...beside, file: beside.file.replace(/(\.db)?$/, '-registry.db') } : beside;
    const store = new Database(location, REGISTRY_CONTENT);
    const port = new SimulatedRegistry(store, clock, currency);
    await store.open();
    return { port, close: () => store.close() };
  },
} satisfies Record<string, (settings: RegistrySettings) => Promise<RunningRegistry>>;

export type RegistryAdapterName = keyof typeof REGISTRY_ADAPTERS;
