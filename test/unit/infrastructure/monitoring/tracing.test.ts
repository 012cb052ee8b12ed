import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { observe } from '../../../../src/application/shared/observation';
import { startTracing } from '../../../../src/infrastructure/monitoring/start-tracing';

const ENDPOINT = 'http://127.0.0.1:4318';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

const request = (name: string, traceParent?: string) =>
  observe({ kind: 'request', name, traceParent }, async () => ({ route: '/x', status: 200 }));

/** Keeps its spans after the end. */
class Collector extends InMemorySpanExporter {
  override shutdown = async () => undefined;
}

describe('traces', () => {
  it('are exported or not as their caller decided, else by the ratio', async () => {
    const exported: string[] = [];
    for (const ratio of [0, 1]) {
      const collector = new Collector();
      const stop = startTracing({ endpoint: ENDPOINT, ratio }, collector);
      await request(`caller exports, ${ratio}`, `00-${TRACE}-b7ad6b7169203331-01`);
      await request(`caller does not, ${ratio}`, `00-${TRACE}-b7ad6b7169203331-00`);
      await request(`no caller, ${ratio}`);
      await stop();
      exported.push(...collector.getFinishedSpans().map(({ name }) => name));
    }

    expect(exported).toEqual(['caller exports, 0', 'caller exports, 1', 'no caller, 1']);
  });

  it('do not keep a process from stopping while the collector hangs', async () => {
    const exports: (() => void)[] = [];
    const hanging: SpanExporter = {
      export: (_spans, done) => void exports.push(() => done({ code: 0 })),
      shutdown: () => new Promise(() => undefined),
    };
    const stop = startTracing({ endpoint: ENDPOINT, ratio: 1 }, hanging);
    await request('GET');

    await stop();

    expect(exports).toHaveLength(1);
    exports[0]?.();
  });
});
