import { Clock, LifecycleClock, Log } from '../application/ports/system';
import { LimitsStoreProbe } from '../application/ports/access/rate-limits-and-usage';
import { RegistryPort } from '../application/ports/registry/registry-port';
import { Readiness } from '../application/ports/storage/storage-unavailable';
import type { Config } from '../config';
import { startMetrics } from '../infrastructure/monitoring/start-metrics';
import { HiddenPrimary } from '../infrastructure/nameserver/hidden-primary';
import type * as StartTracing from '../infrastructure/monitoring/start-tracing';
import type { RunningContainer } from './container';

type MonitoredContainer = Pick<RunningContainer, 'container' | 'database' | 'registryStatuses'>;

export interface Monitoring {
  /** The address of the metrics; undefined if they are off. */
  readonly address: string | undefined;
  close(): Promise<void>;
}

/** Starts what the configuration asks for. `isDraining`: the process is about to stop. */
export async function startMonitoring(
  config: Config,
  running: MonitoredContainer,
  isDraining = () => false,
): Promise<Monitoring> {
  const { endpoint, ratio } = config.tracing;
  // Loaded only if it is used: it has many modules.
  const tracing =
    endpoint === undefined ? undefined : (require('../infrastructure/monitoring/start-tracing') as typeof StartTracing);
  const stopTracing = endpoint === undefined ? undefined : tracing?.startTracing({ endpoint, ratio });
  const metrics = await startConfiguredMetrics(config, running, isDraining);
  return {
    address: metrics.address,
    close: async () => {
      await metrics.close();
      await stopTracing?.();
    },
  };
}

async function startConfiguredMetrics(
  { database: { kind }, metricsListen }: Config,
  { container, database, registryStatuses }: MonitoredContainer,
  isDraining: () => boolean,
): Promise<Monitoring> {
  if (!metricsListen) return { address: undefined, close: async () => undefined };
  const readiness = container.get(Readiness);
  const primary = container.get(HiddenPrimary);
  const metrics = await startMetrics(
    metricsListen,
    {
      database,
      databaseKind: kind,
      readiness,
      registries: registryStatuses,
      secondaries: () => primary.secondaryStatuses(),
      limitsStore: container.isBound(LimitsStoreProbe) ? container.get(LimitsStoreProbe) : undefined,
      selfRenewing: container
        .get(RegistryPort)
        .policies()
        .filter(({ unsupported }) => unsupported?.includes('renewal'))
        .map(({ suffix }) => suffix),
      clock: container.get(Clock),
      log: container.get(Log),
      lifecycleClock: container.get(LifecycleClock),
    },
    async () => {
      if (isDraining()) throw new Error('the process is about to stop');
      await readiness.check();
    },
  );
  container.get(Log).info({ address: metrics.address }, 'serving metrics');
  return metrics;
}
