import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../../domain/dns/secondaries/secondary';
import { endpointText } from '../../domain/dns/secondaries/secondary';
import { CONTENT_TYPES, type MetricsFormat } from './render-metrics';

interface MonitoringRoutes {
  readonly metrics: (format: MetricsFormat) => Promise<string>;
  /** @throws if the process does not serve */
  readonly ready: () => Promise<void>;
}

const MAX_CONNECTIONS = 64;

/** Serves `/metrics`, `/healthz` and `/readyz`, on a separate listener, so that the service's proxy does not publish them. */
export class MonitoringServer {
  private readonly server: Server;

  constructor(private readonly routes: MonitoringRoutes) {
    this.server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (req, res) => {
      this.respond(req, res).catch(() => res.destroy());
    });
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** Returns the bound address. @throws Error if it is taken */
  listen(endpoint: Endpoint): Promise<string> {
    const { address, port } = endpoint;
    return new Promise((resolve, reject) => {
      this.server.once('error', (cause: NodeJS.ErrnoException) => {
        const where = `${endpointText(endpoint)} (${cause.code ?? 'unknown reason'})`;
        reject(new Error(`cannot serve metrics at ${where}: set METRICS_LISTEN to a free address`, { cause }));
      });
      this.server.listen(port, address, () => {
        resolve(endpointText({ address, port: (this.server.address() as AddressInfo).port }));
      });
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async respond(
    { method, url = '', headers: { accept = '' } }: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    const [path] = url.split('?');
    const send = (status: number, body: string, type = 'application/json; charset=utf-8') =>
      void res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    if (method !== 'GET' && method !== 'HEAD') return send(405, '{"error":"only GET"}\n');
    if (path === '/healthz') return send(200, '{"status":"ok"}\n');
    if (path === '/readyz')
      return this.routes.ready().then(
        () => send(200, '{"status":"ready"}\n'),
        () => send(503, '{"status":"not ready"}\n'),
      );
    if (path !== '/metrics') return send(404, '{"error":"not found"}\n');
    const format = accept.includes('application/openmetrics-text') ? 'openMetrics' : 'prometheus';
    return send(200, await this.routes.metrics(format), CONTENT_TYPES[format]);
  }
}
