import { Registry } from 'prom-client';
import { addObserver } from '../../application/shared/observation';
import type { Endpoint } from '../../domain/dns/secondaries/secondary';
import { CurrentMetrics, type MonitoredParts } from './current-metrics';
import { EventLoopLag } from './event-loop-lag';
import { MonitoringServer } from './monitoring-server';
import { ProcessMetrics } from './process-metrics';
import { renderMetrics } from './render-metrics';

interface RunningMetrics {
  /** Address and port. */
  readonly address: string;
  close(): Promise<void>;
}

/** Measures this process and serves the result. `ready` throws while the process does not serve. @throws Error if `endpoint` is taken */
export async function startMetrics(
  endpoint: Endpoint,
  parts: Omit<MonitoredParts, 'eventLoop'>,
  ready: () => Promise<void>,
): Promise<RunningMetrics> {
  const registry = new Registry();
  const registries = parts.registries().map((each) => each.registry);
  const removeObserver = addObserver(new ProcessMetrics(registry, registries));
  const current = new CurrentMetrics(registry, { ...parts, eventLoop: new EventLoopLag() });
  let collecting: ReturnType<Registry['getMetricsAsJSON']> | undefined;
  /** Simultaneous scrapes share one collection. */
  const getMetricsAsJSON = () =>
    (collecting ??= current
      .refresh()
      .then(() => registry.getMetricsAsJSON())
      .finally(() => (collecting = undefined)));
  const server = new MonitoringServer({
    ready,
    metrics: (format) => renderMetrics({ getMetricsAsJSON }, format),
  });
  const close = async () => {
    removeObserver();
    await server.close();
    current.stop();
  };
  try {
    return { address: await server.listen(endpoint), close };
  } catch (error) {
    await close();
    throw error;
  }
}
