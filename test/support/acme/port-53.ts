import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const UNPRIVILEGED_FROM = '/proc/sys/net/ipv4/ip_unprivileged_port_start';

/** Why port 53 cannot be listened at; undefined if it can. */
export function port53Missing(): string | undefined {
  const isAllowed = process.getuid?.() === 0 || Number(readFileSync(UNPRIVILEGED_FROM, 'utf8')) <= 53;
  return isAllowed ? undefined : 'port 53 is reserved to root here';
}

/** Forwards UDP from port 53 of a loopback address to another port, for programs that know no other. Returns a function that ends it. */
export async function forwardPort53(address: string, port: number): Promise<() => void> {
  const listener = createSocket('udp4');
  const upstreams = new Map<string, Socket>();
  listener.on('message', (message, client) => {
    const from = `${client.address}:${client.port}`;
    const upstream = upstreams.get(from) ?? createSocket('udp4');
    if (!upstreams.has(from)) upstream.on('message', (reply) => listener.send(reply, client.port, client.address));
    upstreams.set(from, upstream);
    upstream.send(message, port, '127.0.0.1');
  });
  listener.bind(53, address);
  await once(listener, 'listening');
  return () => {
    for (const socket of [listener, ...upstreams.values()]) socket.close();
  };
}
