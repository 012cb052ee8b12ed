import { readFileSync } from 'node:fs';
import { request, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serverCertificate } from '../../../src/infrastructure/registry/sandbox/epp-server/server-certificate';

export interface TlsProxy {
  /** An address and a port. */
  readonly host: string;
  readonly certificateFile: string;
  stop(): Promise<void>;
}

/** An HTTPS server in front of a service, which says so in X-Forwarded-Proto and names the client in X-Forwarded-For. */
export async function startTlsProxy(folder: string, service: Server): Promise<TlsProxy> {
  const { file: certificateFile } = await serverCertificate(folder, new Date());
  const options = { cert: readFileSync(certificateFile), key: readFileSync(join(folder, 'key.pem')) };
  const { port } = service.address() as AddressInfo;
  const proxy = createServer(options, (req, res) => {
    const headers = { ...req.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' };
    const forwarded = request({ port, host: '127.0.0.1', method: req.method, path: req.url, headers }, (response) => {
      // Whether the connection stays open is between the client and this server.
      const { connection: _connection, 'keep-alive': _keepAlive, ...rest } = response.headers;
      res.writeHead(response.statusCode ?? 502, rest);
      response.pipe(res);
    });
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    certificateFile,
    stop: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections();
        proxy.close(() => resolve());
      }),
  };
}
