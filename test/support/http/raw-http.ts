import { request, type Agent, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

export interface RawRequest {
  readonly method: string;
  /** Sent as is, without encoding. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request that normal clients would refuse to send. */
export function sendRaw(
  server: Server,
  { method, path, headers, body }: RawRequest,
  agent: Agent,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const framing =
      body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = request(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, ...framing }, agent },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.once('error', reject);
        res.once('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

/** Sends arbitrary octets and returns everything that the server sends until it closes the connection. */
export function sendOctets(server: Server, octets: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(octets));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
