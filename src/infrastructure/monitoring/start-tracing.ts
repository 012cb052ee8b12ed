import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { addObserver } from '../../application/shared/observation';
import { TraceObserver } from './trace-observer';

interface TracingSettings {
  /** Base URL of an OTLP/HTTP collector: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** The share of the traces that begin here and are exported: 0 to 1. */
  readonly ratio: number;
}

/** A collector that hangs must not use up the time in which the process has to stop. */
const FLUSH_WITHIN_MS = 1_500;

/** Exports spans of this process from now on. Returns a function that stops it, after an attempt to export what is left. */
export function startTracing(
  { endpoint, ratio }: TracingSettings,
  exporter: SpanExporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }),
): () => Promise<void> {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'namewright' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const removeObserver = addObserver(new TraceObserver(provider.getTracer('namewright')));
  return async () => {
    removeObserver();
    const flushed = provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, sleep(FLUSH_WITHIN_MS, undefined, { ref: false })]);
  };
}
