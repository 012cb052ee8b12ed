import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { addObserver } from '../../application/observation';
import { TraceObserver } from './trace-observer';

export interface TracingSettings {
  /** Base URL of an OTLP/HTTP collector: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** The share of the traces that is exported: 0 to 1. */
  readonly ratio: number;
}

/** Exports spans of this process from now on. Returns how to end that, with what is not exported yet. */
export function startTracing({ endpoint, ratio }: TracingSettings): () => Promise<void> {
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'namewright' }),
    // A client must not decide how much is exported: its own flag does not count.
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const removeObserver = addObserver(new TraceObserver(provider.getTracer('namewright')));
  return async () => {
    removeObserver();
    await provider.shutdown().catch(() => undefined);
  };
}
