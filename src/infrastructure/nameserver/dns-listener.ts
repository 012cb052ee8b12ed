import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import type { Endpoint } from '../../domain/dns/secondary';
import { networkOf } from '../system/network-of';
import { Gone, type Responder } from './responder';
import { TcpChannel } from './wire/tcp-channel';

/** Requests by UDP in hand at a time; what comes beyond is dropped, and asked again. */
const UDP_AT_A_TIME = 256;
const CONNECTIONS = 256;
const CONNECTIONS_OF_AN_ADDRESS = 64;
/** Port 0 takes a port that is free by TCP; by UDP it may be taken. */
const ATTEMPTS_TO_FIND_A_PORT = 20;

/** Hears requests by UDP and TCP on one port. Strangers can neither exhaust it nor keep the secondaries out. */
export class DnsListener {
  private udp: UdpSocket | undefined;
  private tcp: Server | undefined;
  private udpInHand = 0;
  /** Oldest first. */
  private readonly connections = new Map<Socket, TcpChannel>();

  constructor(private readonly responder: Responder) {}

  /** Answers where it listens. @throws what the operating system has against the address, with its code */
  async listen({ address, port }: Endpoint): Promise<Endpoint> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.open(address, port);
      } catch (error) {
        await this.close();
        if (port !== 0 || attempt === ATTEMPTS_TO_FIND_A_PORT) throw error;
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
  }

  private async open(address: string, port: number): Promise<Endpoint> {
    const tcp = createServer((socket) => void this.connected(socket));
    this.tcp = tcp;
    tcp.listen(port, address);
    await once(tcp, 'listening');
    const bound = tcp.address();
    const actual = { address, port: typeof bound === 'object' && bound ? bound.port : port };
    const udp = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
    udp.bind(actual.port, address);
    await once(udp, 'listening');
    this.udp = udp;
    udp.on('message', (bytes, from) => void this.heard(udp, bytes, from));
    udp.on('error', () => undefined);
    tcp.on('error', () => undefined);
    return actual;
  }

  private async heard(udp: UdpSocket, bytes: Buffer, from: RemoteInfo): Promise<void> {
    // No response can be sent to port 0, and no honest client sends from it.
    if (from.port === 0 || this.udpInHand >= UDP_AT_A_TIME) return;
    this.udpInHand += 1;
    const send = async (message: Buffer): Promise<void> => {
      if (this.udp !== udp) throw new Gone();
      udp.send(message, from.port, from.address, () => undefined);
    };
    await this.responder.respond(bytes, { transport: 'udp', send, trust: () => undefined });
    this.udpInHand -= 1;
  }

  private async connected(socket: Socket): Promise<void> {
    if (!this.makeRoomFor(socket)) {
      socket.destroy();
      return;
    }
    const channel = new TcpChannel(socket, this.responder);
    this.connections.set(socket, channel);
    await channel.serve();
    this.connections.delete(socket);
  }

  /** When all places are taken, whoever has been here for longest without showing a good key leaves. */
  private makeRoomFor({ remoteAddress = '' }: Socket): boolean {
    const network = networkOf(remoteAddress);
    const rivals = [...this.connections].filter(([socket]) => networkOf(socket.remoteAddress ?? '') === network);
    const isCrowd = rivals.length >= CONNECTIONS_OF_AN_ADDRESS;
    if (!isCrowd && this.connections.size < CONNECTIONS) return true;
    const stranger = (isCrowd ? rivals : [...this.connections]).find(([, { trusted }]) => !trusted);
    stranger?.[0].destroy();
    return stranger !== undefined;
  }
}
