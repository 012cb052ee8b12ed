import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { decode, encode, RECURSION_AVAILABLE, type Answer, type DecodedPacket } from 'dns-packet';
import { freePort } from '../free-port';

/** A recursive resolver on loopback that answers from `records`, following CNAMEs, over UDP and TCP. */
export class StubResolver {
  /** In the form `name ttl type data`. */
  records: readonly string[] = [];
  rcode = 0;
  /** Changes a response before it is sent. */
  alter: (response: DecodedPacket) => object = (response) => response;
  /** Over UDP, responses with these changes are sent before the right one. */
  spoofed: readonly object[] = [];
  /** Answers over UDP are truncated. */
  isTruncating = false;
  readonly queries: string[] = [];
  private readonly udp = createSocket('udp4');
  private readonly tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      const message = encoded(this.alter(this.respond(decode(bytes.subarray(2)))));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      socket.end(Buffer.concat([length, message]));
    });
  });

  /** Returns its address and port. */
  async start(): Promise<string> {
    const port = await freePort();
    await new Promise<void>((resolve) => this.tcp.listen(port, '127.0.0.1', resolve));
    this.udp.on('message', (bytes, from) => {
      const response = this.respond(decode(bytes), this.isTruncating);
      for (const change of this.spoofed) this.udp.send(encoded({ ...response, ...change }), from.port, from.address);
      this.udp.send(encoded(this.alter(response)), from.port, from.address);
    });
    await new Promise<void>((resolve) => this.udp.bind(port, '127.0.0.1', resolve));
    return `127.0.0.1:${port}`;
  }

  stop(): void {
    this.udp.close();
    this.tcp.close();
  }

  private respond(query: DecodedPacket, isTruncated = false): DecodedPacket {
    const [question = { name: '', type: 'A' }] = query.questions ?? [];
    this.queries.push(`${question.name} ${question.type}`);
    const answers = isTruncated ? [] : this.answersTo(question.name, question.type);
    const response = {
      type: 'response',
      id: query.id,
      flags: RECURSION_AVAILABLE | this.rcode | (isTruncated ? 0x200 : 0),
      questions: query.questions,
      answers,
      authorities: answers.at(-1)?.type === question.type ? [] : [SOA],
    };
    return response as unknown as DecodedPacket;
  }

  private answersTo(name: string, type: string): Answer[] {
    const answers: Answer[] = [];
    for (let current: string | undefined = name; current !== undefined && answers.length < 20;) {
      const own = this.records.map(toAnswer).filter((answer) => answer.name === current);
      answers.push(...own.filter((answer) => answer.type === type));
      const cname = own.find((answer) => answer.type === 'CNAME');
      if (cname) answers.push(cname);
      current = cname?.type === 'CNAME' ? cname.data : undefined;
    }
    return answers;
  }
}

function encoded(message: object): Buffer {
  return encode(message);
}

const SOA: Answer = {
  type: 'SOA',
  name: 'test',
  ttl: 300,
  data: { mname: 'ns.test', rname: 'admin.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 90 },
};

function toAnswer(line: string): Answer {
  const [name = '', ttl, type, data = ''] = line.split(' ');
  return { name, ttl: Number(ttl), type: type as 'A', data };
}
