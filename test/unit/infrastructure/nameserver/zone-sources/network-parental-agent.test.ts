import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Answer,
  type DecodedPacket,
  type OptAnswer,
  type RecordType,
} from 'dns-packet';
import { wireRdata } from '../../../../../src/domain/dns/records/types/record-types';
import { NetworkParentalAgent } from '../../../../../src/infrastructure/nameserver/zone-sources/network-parental-agent';

const CHILD = 'child.example';
const NXDOMAIN = 3;
const SERVFAIL = 2;
const REFUSED = 5;
const LOOPBACK = [{ address: '127.0.0.0', prefix: 8 }];

interface Reply {
  readonly flags?: number;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
}

const soa = (name: string): Answer => ({
  type: 'SOA',
  name,
  ttl: 60,
  data: { mname: 'a.test', rname: 'b.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 },
});
const none = (zone: string): Reply => ({ flags: NXDOMAIN, authorities: [soa(zone)] });
const dsync = (name: string, ...contents: readonly string[]): Reply => ({
  answers: contents.map((content) => raw(name, wireRdata('DSYNC', content))),
});
const raw = (name: string, data: Buffer): Answer =>
  ({ type: 'UNKNOWN_66' as RecordType, name, ttl: 60, data }) as unknown as Answer;
const address = (name: string, data = '127.0.0.1'): Reply => ({ answers: [{ type: 'A', name, ttl: 60, data }] });

function responseTo({ id = 0, questions = [] }: DecodedPacket, reply: Reply): Buffer {
  const { flags = 0, answers = [], authorities = [], additionals = [] } = reply;
  return encode({
    type: 'response',
    id,
    flags,
    questions,
    answers: [...answers],
    authorities: [...authorities],
    additionals: [...additionals],
  });
}

const found = (port: number) => ({
  'child._dsync.example DSYNC': dsync('child._dsync.example', `CDS NOTIFY ${port} scanner.test.`),
  'scanner.test A': address('scanner.test'),
});

describe('a NOTIFY to the parent of a zone (RFC 9859)', () => {
  const open: (Socket | Server)[] = [];
  let asked: string[];
  let received: DecodedPacket[];

  beforeEach(() => {
    asked = [];
    received = [];
  });
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  async function udp(respond: (query: DecodedPacket) => Reply | undefined): Promise<number> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    open.push(socket);
    socket.on('message', (bytes, from) => {
      const query = decode(bytes);
      const reply = respond(query);
      if (reply) socket.send(responseTo(query, reply), from.port, from.address);
    });
    return socket.address().port;
  }
  async function tcp(respond: (query: DecodedPacket) => Reply): Promise<number> {
    const server = createServer((socket) =>
      socket.once('data', (bytes: Buffer) => {
        const query = decode(bytes.subarray(2));
        const message = responseTo(query, respond(query));
        const length = Buffer.alloc(2);
        length.writeUInt16BE(message.length);
        socket.end(Buffer.concat([length, message]));
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(server);
    const bound = server.address();
    return typeof bound === 'object' && bound ? bound.port : 0;
  }
  /** Answers each question, written as `name type`, as `replies` has it; any other by SERVFAIL. */
  const resolver = async (replies: Readonly<Record<string, Reply>>) => ({
    address: '127.0.0.1',
    port: await udp(({ questions = [] }) => {
      const question = `${questions[0]?.name} ${String(questions[0]?.type).replace('UNKNOWN_66', 'DSYNC')}`;
      asked.push(question);
      return replies[question] ?? { flags: SERVFAIL };
    }),
  });
  const receive = (reply: Reply) => (query: DecodedPacket) => {
    received.push(query);
    return reply;
  };
  const notify = async (replies: Readonly<Record<string, Reply>>, networks = LOOPBACK) =>
    new NetworkParentalAgent({ resolvers: [await resolver(replies)], networks }).notify(CHILD, 'CDS');
  it('goes to the target of the DSYNC record, with the child and the type CDS', async () => {
    const port = await udp(receive({ flags: AUTHORITATIVE_ANSWER }));

    const result = await notify(found(port));

    expect(result).toEqual({ outcome: 'accepted', receiver: `scanner.test:${port}`, error: null });
    expect(received).toMatchObject([{ opcode: 'NOTIFY', flag_aa: true, questions: [{ name: CHILD, type: 'CDS' }] }]);
  });

  it('goes to the target of a record at _dsync itself, or of the parent that the SOA record names', async () => {
    const port = await udp(receive({}));
    const [result, deeper] = [
      await notify({
        'child._dsync.example DSYNC': none('example'),
        '_dsync.example DSYNC': dsync('_dsync.example', `CDS NOTIFY ${port} scanner.test.`),
        'scanner.test A': address('scanner.test'),
      }),
      await notify({
        'child._dsync.example DSYNC': none(''),
        'child.example._dsync DSYNC': dsync('child.example._dsync', `CDS NOTIFY ${port} scanner.test.`),
        'scanner.test A': address('scanner.test'),
      }),
    ];

    expect([result.outcome, deeper.outcome]).toEqual(['accepted', 'accepted']);
  });

  it('goes over TCP to a receiver that does not respond over UDP', async () => {
    const result = await notify(found(await tcp(receive({}))));

    expect([result.outcome, received.length]).toEqual(['accepted', 1]);
  });

  it('is refused with the code and the extended error of the receiver, whose text is cut off', async () => {
    const data = Buffer.concat([Buffer.from([0, 15]), Buffer.from(`too\u0000 often\u001b ${'x'.repeat(300)}`)]);
    const opt = { type: 'OPT', name: '.', udpPayloadSize: 1_232, options: [{ code: 15, data }] };
    const port = await udp(receive({ flags: REFUSED, additionals: [opt as unknown as OptAnswer] }));

    const { outcome, error } = await notify(found(port));

    expect(outcome).toBe('refused');
    expect(error).toMatch(/^REFUSED, extended error 15: too often x{150,200}$/);
  });

  it('has no receiver if the parent has no usable DSYNC record', async () => {
    const without = await notify({
      'child._dsync.example DSYNC': none('example'),
      '_dsync.example DSYNC': none('example'),
    });
    const names = asked;
    const other = await notify({ 'child._dsync.example DSYNC': dsync('x', 'CSYNC NOTIFY 53 scanner.test.') });
    const malformed = await notify({
      'child._dsync.example DSYNC': { answers: [raw('x', Buffer.from([0, 59, 1]))] },
      '_dsync.example DSYNC': none('example'),
    });

    expect(without).toEqual({ outcome: 'no_receiver', receiver: null, error: null });
    expect(names.slice(0, 2)).toEqual(['child._dsync.example DSYNC', '_dsync.example DSYNC']);
    expect([other.outcome, malformed.outcome]).toEqual(['no_receiver', 'no_receiver']);
  });

  it('is not sent to an address that is not public, unless the operator allows it', async () => {
    const port = await udp(receive({}));

    const result = await notify(found(port), []);

    expect(result).toEqual({ outcome: 'unusable_receiver', receiver: `scanner.test:${port}`, error: null });
    expect(received).toEqual([]);
  });

  it('is not sent if the resolver fails', async () => {
    expect((await notify({})).outcome).toBe('unknown');
    expect((await new NetworkParentalAgent({ resolvers: [], networks: [] }).notify(CHILD, 'CDS')).outcome).toBe(
      'unknown',
    );
  });

  it('asks at most three names, whatever the parent answers', async () => {
    const agent = new NetworkParentalAgent({
      resolvers: [
        {
          address: '127.0.0.1',
          port: await udp(({ questions = [] }) => {
            asked.push(questions[0]?.name ?? '');
            return none(['', 'a.example', '_dsync.child.example'][asked.length % 3] ?? '');
          }),
        },
      ],
      networks: [],
    });

    expect((await agent.notify('a.b.c.example', 'CDS')).outcome).toBe('no_receiver');
    expect(asked.length).toBeLessThanOrEqual(3);
  });
});
