import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import request from 'supertest';
import { addObserver } from '../../src/application/shared/observation';
import { TraceObserver } from '../../src/infrastructure/monitoring/trace-observer';
import { freePort } from '../support/free-port';
import { addressOf, build, startProcess } from '../support/service/service-process';
import { api, registered, startService, type TestService } from '../support/service/service';

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0';

describe('metrics of a service', () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await startService({ METRICS_LISTEN: '0', DNS_LISTEN: '127.0.0.1:0' });
    folder = mkdtempSync(join(tmpdir(), 'namewright-metrics-'));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const scrape = async (accept = 'text/plain') =>
    (await request(`http://${service.metrics}`).get('/metrics').set('Accept', accept).expect(200)).text;
  const seriesOf = async () => new Set((await scrape()).match(/^namewright_http_\w+\{[^}]*\}/gm));

  it('show a registration as a request, a call to the registry, an operation and a domain', async () => {
    const client = api(service, await service.key(await service.account()));

    await registered(client, 'measured.com');
    const text = await scrape();

    expect(text).toMatch(/^namewright_http_requests_total\{method="POST",route="\/api\/domains",status="201"\} 1$/m);
    expect(text).toMatch(/^namewright_registry_calls_total\{registry="\w+",kind="command",outcome="completed"\} 1$/m);
    expect(text).toMatch(/^namewright_operation_runs_total\{kind="register",outcome="succeeded"\} 1$/m);
    expect(text).toMatch(/^namewright_domains\{status="active"\} 1$/m);
  });

  it('get no new series from the paths and methods of a stranger', async () => {
    const unknown = [
      '/',
      '/none/1',
      '/api/none',
      '/api/domains/1/none',
      '/API/domains',
      '/compat/x',
      '/%00',
      '/a/b/c/d',
    ];
    const send = async (round: number) => {
      for (const path of unknown) await request(service.server).get(`${path}?x=${round}`);
      for (const method of ['get', 'put', 'delete'] as const)
        await request(service.server)[method](`/api/domains/dom_${round}`);
      await request(service.server).get(`/api/domains/by-name/stranger${round}.com`);
      await request(service.server).propfind(`/api/domains/${round}`);
      await request(service.server).trace(`/stranger/${round}`);
    };
    await send(1);
    const before = await seriesOf();

    for (let round = 2; round < 6; round += 1) await send(round);

    expect(await seriesOf()).toEqual(before);
    expect([...before].filter((series) => /stranger|dom_|PROPFIND|TRACE/.test(series))).toEqual([]);
  });

  it('come with the probes, and with nothing else', async () => {
    const monitoring = request(`http://${service.metrics}`);

    await monitoring.get('/healthz').expect(200, '{"status":"ok"}\n');
    await monitoring.get('/readyz').expect(200, '{"status":"ready"}\n');
    await monitoring.get('/api/domains').expect(404);
    await monitoring.post('/metrics').expect(405);
    await request(service.server).get('/metrics').expect(404);
  });

  it('are OpenMetrics for a client that accepts it', async () => {
    expect(await scrape(OPEN_METRICS)).toMatch(/# EOF\n$/);
    expect(await scrape()).not.toContain('# EOF');
  });

  it('are scraped by Prometheus', async () => {
    const port = await freePort();
    const file = join(folder, 'prometheus.yml');
    const target = JSON.stringify(service.metrics);
    writeFileSync(
      file,
      `{global: {scrape_interval: 1s, scrape_timeout: 1s}, scrape_configs: [{job_name: namewright, static_configs: [{targets: [${target}]}]}]}`,
    );
    const prometheus = startPrometheus(file, port);
    try {
      const found = await query(prometheus, port, 'namewright_database_up == 1');

      expect(found[0]?.metric).toMatchObject({ job: 'namewright', instance: service.metrics });
    } finally {
      // It writes to the folder until it ends.
      prometheus.kill();
      if (prometheus.exitCode === null && prometheus.signalCode === null) await once(prometheus, 'exit');
    }
  });

  function startPrometheus(file: string, port: number): ChildProcess {
    return spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
  }
});

/** Waits for a result. */
async function query(
  prometheus: ChildProcess,
  port: number,
  expression: string,
): Promise<{ metric: Record<string, string> }[]> {
  for (;;) {
    if (prometheus.exitCode !== null || prometheus.signalCode !== null) throw new Error('Prometheus has ended');
    const response = await request(`http://127.0.0.1:${port}`)
      .get('/api/v1/query')
      .query({ query: expression })
      .catch(() => undefined);
    const { result = [] } = (response?.body.data ?? {}) as { result?: { metric: Record<string, string> }[] };
    if (result.length > 0) return result;
    await sleep(50);
  }
}

describe('traces of a service', () => {
  const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
  const exporter = new InMemorySpanExporter();
  let spans: readonly ReadableSpan[];

  beforeAll(async () => {
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const service = await startService();
    const removeObserver = addObserver(new TraceObserver(provider.getTracer('test')));
    const client = api(service, await service.key(await service.account()));
    const id = await registered(client, 'traced.com');
    await client
      .put(`/api/domains/${id}/nameservers`, { nameservers: ['ns1.example.net', 'ns2.example.net'] })
      .set('traceparent', `00-${CALLER.trace}-${CALLER.span}-01`)
      .expect(200);
    await client.get(`/api/domains/${id}`).set('traceparent', 'not a trace').expect(200);
    await service.stop();
    removeObserver();
    spans = exporter.getFinishedSpans();
  });

  const inTrace = (name: string) =>
    spans.find((each) => each.name === name && each.spanContext().traceId === CALLER.trace);

  it('continue the trace of the caller through use case, database, operation and registry', () => {
    const request = inTrace('PUT');
    const useCase = inTrace('use case putNameservers');
    const operation = inTrace('operation set_nameservers');

    expect(request?.parentSpanContext?.spanId).toBe(CALLER.span);
    expect(request?.attributes).toEqual({
      'http.request.method': 'PUT',
      'http.route': '/api/domains/:id/nameservers',
      'http.response.status_code': 200,
    });
    expect(useCase?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(inTrace('database query')?.attributes['db.query.text']).toMatch(/^SELECT /);
    expect(operation?.attributes).toEqual({ outcome: 'succeeded' });
    expect(inTrace('registry call command')?.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
  });

  it('link an operation to the span that stored it, from the database, as in another process', () => {
    const operation = inTrace('operation set_nameservers');

    const storing = spans.find((each) => each.spanContext().spanId === operation?.parentSpanContext?.spanId);

    expect(storing?.name).toBe('database transaction');
    expect(operation?.parentSpanContext?.isRemote).toBe(true);
  });

  it('begin at the request if the header of the caller cannot be read', () => {
    const request = spans.find((each) => each.attributes['http.route'] === '/api/domains/:id');

    expect(request?.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(request?.parentSpanContext).toBeUndefined();
  });

  it('hold no names, keys or ids', () => {
    const texts = spans.map(({ name, attributes, status }) => JSON.stringify([name, attributes, status]));

    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /traced|example|_live_|dom_\d/.test(text))).toEqual([]);
  });
});

it('a process exports its traces by OTLP/HTTP, the last ones when it stops', async () => {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'namewright-traces-'));
  const bodies: string[] = [];
  const collector = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => (body += text));
    req.on('end', () => {
      bodies.push(`${req.url} ${body}`);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve);
  });

  const service = startProcess({
    DATABASE_URL: `sqlite:${join(folder, 'namewright.db')}`,
    PORT: '0',
    DNS_LISTEN: 'off',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
  });
  await request(await addressOf(service))
    .get('/healthz')
    .expect(200);
  service.signal('SIGTERM');
  const { code } = await service.ended;
  collector.close();
  rmSync(folder, { recursive: true });

  expect(code).toBe(0);
  expect(bodies.join('\n')).toMatch(/^\/v1\/traces \{"resourceSpans":.*"stringValue":"\/healthz"/m);
});
