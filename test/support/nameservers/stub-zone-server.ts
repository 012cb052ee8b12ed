import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type DecodedPacket } from 'dns-packet';
import { freePort } from '../free-port';

export const ZONE = 'stub-zone.com';
const SOA: Answer = {
  type: 'SOA',
  name: ZONE,
  ttl: 3_600,
  data: {
    mname: 'ns1.example.net',
    rname: 'admin.example.net',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 300,
  },
};
const RECORDS: readonly Answer[] = [
  { type: 'NS', name: ZONE, ttl: 172_800, data: 'ns1.example.net' },
  { type: 'A', name: ZONE, ttl: 300, data: '192.0.2.1' },
  { type: 'MX', name: ZONE, ttl: 300, data: { preference: 10, exchange: 'mail.stub-zone.com' } },
  { type: 'TXT', name: ZONE, ttl: 300, data: ['v=spf1 -all "quoted"'] },
  { type: 'CNAME', name: `www.${ZONE}`, ttl: 300, data: ZONE },
  { type: 'A', name: `unusual-name.${ZONE}`, ttl: 300, data: '192.0.2.9' },
  {
    type: 'SRV',
    name: `_sip._tcp.${ZONE}`,
    ttl: 300,
    data: { priority: 1, weight: 2, port: 5060, target: 'sip.stub-zone.com' },
  },
  { type: 'CAA', name: ZONE, ttl: 300, data: { flags: 0, tag: 'issue', value: 'ca.example.net' } },
  { type: 'SSHFP', name: `www.${ZONE}`, ttl: 300, data: { algorithm: 1, hash: 1, fingerprint: 'ab'.repeat(20) } },
];

/** An authoritative nameserver for the zone: AXFR over TCP, anything else over UDP. */
export class StubZoneServer {
  /** How AXFR messages leave. */
  send: (message: Buffer, request: Buffer) => readonly Buffer[] = (message) => [message];
  rcode = 0;
  /** Beside the records of `ZONE`: served by AXFR only. */
  additional: readonly Answer[] = [];
  private readonly udp = createSocket('udp4');
  private tcp: Server | undefined;

  async start(): Promise<string> {
    const tcp = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes: Buffer) => {
        const request = bytes.subarray(2);
        const { id } = decode(request);
        const answers = [SOA, ...RECORDS, ...this.additional, SOA];
        const message = response(id, [], answers, this.rcode);
        for (const part of this.send(message, request)) {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(part.length);
          socket.write(Buffer.concat([length, part]));
        }
      });
    });
    this.tcp = tcp;
    const port = await freePort();
    await new Promise<void>((resolve) => tcp.listen(port, '127.0.0.1', resolve));
    this.udp.on('message', (bytes, from) => {
      const query: DecodedPacket = decode(bytes);
      const [question] = query.questions ?? [];
      const answers = [SOA, ...RECORDS].filter(
        ({ name, type }) => name === question?.name && (type === question.type || type === 'CNAME'),
      );
      this.udp.send(response(query.id, query.questions ?? [], answers, 0), from.port, from.address);
    });
    await new Promise<void>((resolve) => this.udp.bind(port, '127.0.0.1', resolve));
    return `127.0.0.1:${port}`;
  }

  stop(): void {
    this.udp.close();
    this.tcp?.close();
  }
}

function response(
  id: number | undefined,
  questions: NonNullable<DecodedPacket['questions']>,
  answers: readonly Answer[],
  rcode: number,
): Buffer {
  return encode({
    type: 'response',
    id: id ?? 0,
    flags: AUTHORITATIVE_ANSWER | rcode,
    questions,
    answers: [...answers],
  });
}
