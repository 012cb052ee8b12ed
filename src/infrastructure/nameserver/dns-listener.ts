import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import type { Endpoint } from '../../domain/dns/secondaries/secondary';
import { networkOf } from '../system/network-of';
import type { Responder } from './responder';
import { ClientGone } from './wire/response-channel';
import { TcpChannel } from './wire/tcp-channel';

/** UDP requests in flight; more are dropped, and their clients retry. */
const MAX_UDP_REQUESTS = 256;
const MAX_CONNECTIONS = 256;
const MAX_CONNECTIONS_PER_NETWORK = 64;
/** Port 0 picks a port that is free for TCP, but may be taken for UDP. */
const MAX_BIND_ATTEMPTS = 20;

/** Listens for UDP and TCP requests on one port, with limits, so that unauthenticated clients cannot lock out the secondaries. */
export class DnsListener {
  private udp: UdpSocket | undefined;
  private tcp: Server | undefined;
  private udpRequests = 0;
  /** In order of connection. */
  private readonly connections = new Map<Socket, TcpChannel>();

  /** @param work that requests have begun, and that ends with the listener */
  constructor(
    private readonly responder: Pick<Responder, 'respond'>,
    private readonly work?: { stop(): Promise<void> },
  ) {}

  /** Returns the bound endpoint. @throws the error of the operating system, with its code */
  async listen({ address, port }: Endpoint): Promise<Endpoint> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.open(address, port);
      } catch (error) {
        await this.close();
        if (port !== 0 || attempt === MAX_BIND_ATTEMPTS) throw error;
      }
    }
  }

  get openConnections(): number {
    return this.connections.size;
  }

  async close(): Promise<void> {
    const { tcp, udp } = this;
    this.tcp = undefined;
    this.udp = undefined;
    const closed = Promise.all([
      udp && new Promise<void>((resolve) => void udp.close(resolve)),
      tcp?.listening && new Promise<void>((resolve) => void tcp.close(() => resolve())),
    ]);
    for (const socket of this.connections.keys()) socket.destroy();
    await closed;
    await this.work?.stop();
  }

  private async open(address: string, port: number): Promise<Endpoint> {
    const tcp = createServer((socket) => void this.serveConnection(socket));
    this.tcp = tcp;
    tcp.listen(port, address);
    await once(tcp, 'listening');
    const bound = tcp.address();
    const actual = { address, port: typeof bound === 'object' && bound ? bound.port : port };
    const udp = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
    udp.bind(actual.port, address);
    await once(udp, 'listening');
    this.udp = udp;
    udp.on('message', (bytes, from) => void this.serveDatagram(udp, bytes, from));
    udp.on('error', () => undefined);
    tcp.on('error', () => undefined);
    return actual;
  }

  private async serveDatagram(udp: UdpSocket, bytes: Buffer, from: RemoteInfo): Promise<void> {
    // A response to port 0 cannot be sent.
    if (from.port === 0 || this.udpRequests >= MAX_UDP_REQUESTS) return;
    this.udpRequests += 1;
    const send = async (message: Buffer): Promise<void> => {
      if (this.udp !== udp) throw new ClientGone();
      udp.send(message, from.port, from.address, () => undefined);
    };
    await this.responder.respond(bytes, {
      transport: 'udp',
      address: from.address,
      send,
      markAuthenticated: () => undefined,
      close: () => undefined,
    });
    this.udpRequests -= 1;
  }

  private async serveConnection(socket: Socket): Promise<void> {
    if (!this.admit(socket)) {
      socket.destroy();
      return;
    }
    const channel = new TcpChannel(socket, this.responder);
    this.connections.set(socket, channel);
    await channel.serve();
    this.connections.delete(socket);
  }

  /** At a limit, closes another connection to make room. False if all are of secondaries. */
  private admit({ remoteAddress = '' }: Socket): boolean {
    const network = networkOf(remoteAddress);
    const sameNetwork = [...this.connections].filter(([socket]) => networkOf(socket.remoteAddress ?? '') === network);
    const isNetworkFull = sameNetwork.length >= MAX_CONNECTIONS_PER_NETWORK;
    if (!isNetworkFull && this.connections.size < MAX_CONNECTIONS) return true;
    const evicted = connectionToClose(isNetworkFull ? sameNetwork : [...this.connections]);
    if (!evicted) return false;
    evicted.destroy();
    // Now: it ends only when its request has been carried out, and would be found again.
    this.connections.delete(evicted);
    return true;
  }
}

/**
 * The oldest connection of a stranger, or else of an account's key; the other way around if accounts have more than half, so that
 * the customers do not lock out a secondary that connects.
 */
function connectionToClose(connections: readonly (readonly [Socket, TcpChannel])[]): Socket | undefined {
  const strangers = connections.filter(([, { keyOwner }]) => keyOwner === undefined);
  const accounts = connections.filter(([, { keyOwner }]) => keyOwner === 'account');
  const [oldest] = accounts.length > connections.length / 2 ? accounts : [...strangers, ...accounts];
  return oldest?.[0];
}
