import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests as they are, with a key: for programs that cannot send one. */
export async function keyAddingProxy(service: Server, key: string): Promise<{ readonly url: string; close(): void }> {
  const { port } = service.address() as AddressInfo;
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = incoming;
    const forwarded = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
