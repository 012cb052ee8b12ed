import * as dgram from 'node:dgram';
import { EventEmitter } from 'node:events';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';
import { NameserverClient } from '../../../../src/infrastructure/nameserver/nameserver-client';

jest.mock('node:dgram', () => ({ createSocket: jest.fn() }));

const ZONE = 'example.com';
const HEADER = 12;
const SOA = { mname: '.', rname: '.', serial: 7, refresh: 0, retry: 0, expire: 0, minimum: 0 };

describe('the client of nameservers', () => {
  it.each([
    ['2001:DB8:0:0::53', '2001:db8::53'],
    ['::FFFF:192.0.2.53', '::ffff:192.0.2.53'],
  ])('takes the answer of %s from %s, the canonical form of that address', async (address, canonical) => {
    expect(await serialFrom(address, canonical, answer)).toEqual({ kind: 'serves', serial: 7 });
  });

  it.each([
    [5, 'serves'],
    [1_000, 'unreachable'],
  ])('reads a response with %i records behind 8,000 compression pointers: %s', async (records, kind) => {
    const respond = (query: Buffer) => withPointers(answer(query), records);

    expect(await serialFrom('192.0.2.53', '192.0.2.53', respond)).toMatchObject({ kind });
  });

  it.each([
    [5, 'serves'],
    [2_600, 'unreachable'],
  ])('reads a response with %i questions that each lead to the one before: %s', async (questions, kind) => {
    const respond = (query: Buffer) => withQuestions(answer(query), questions);

    expect(await serialFrom('192.0.2.53', '192.0.2.53', respond)).toMatchObject({ kind });
  });
});

it('opens no socket once it is closed, and finds every nameserver unreachable at once', async () => {
  jest.mocked(dgram.createSocket).mockClear();
  const client = new NameserverClient(60_000);
  client.close();

  const asked = client.querySerial({
    endpoint: { address: '192.0.2.53', port: 53 },
    zoneName: ZONE,
    fromTxtRecord: false,
  });

  expect(await asked).toEqual({ kind: 'unreachable' });
  expect(dgram.createSocket).not.toHaveBeenCalled();
});

describe('a nameserver that does not respond', () => {
  const endpoint = { address: '192.0.2.53', port: 53 };
  let sent: Buffer[];
  let socket: EventEmitter;
  let asking: Promise<unknown>;
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    socket = Object.assign(new EventEmitter(), { send: (query: Buffer) => void sent.push(query) });
    jest.mocked(dgram.createSocket).mockReturnValue(socket as unknown as dgram.Socket);
    asking = new NameserverClient(1_000).querySerial({ endpoint, zoneName: ZONE, fromTxtRecord: false });
  });
  afterEach(() => jest.useRealTimers());

  it('is unreachable after the time limit', async () => {
    jest.advanceTimersByTime(999);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1);

    expect(await asking).toEqual({ kind: 'unreachable' });
  });

  it('is not unreachable because this process paused: the response that has arrived is read', async () => {
    jest.runOnlyPendingTimers();
    socket.emit('message', answer(sent[0]!), endpoint);

    expect(await asking).toEqual({ kind: 'serves', serial: 7 });
    expect(jest.getTimerCount()).toBe(0);
  });
});

/** The result of a query to a nameserver whose responses come from another address. */
async function serialFrom(address: string, from: string, respond: (query: Buffer) => Buffer) {
  const send = (query: Buffer): void => void socket.emit('message', respond(query), { address: from, port: 53 });
  const socket = Object.assign(new EventEmitter(), { send, close: () => undefined });
  jest.mocked(dgram.createSocket).mockReturnValue(socket as unknown as dgram.Socket);
  const client = new NameserverClient(10);
  try {
    return await client.querySerial({ endpoint: { address, port: 53 }, zoneName: ZONE, fromTxtRecord: false });
  } finally {
    client.close();
  }
}

function answer(query: Buffer): Buffer {
  const { id, questions } = decode(query);
  const answers = [{ type: 'SOA' as const, name: ZONE, data: SOA }];
  return encode({ type: 'response', id, questions, answers, flags: AUTHORITATIVE_ANSWER });
}

/** Adds questions whose name, type and class are compression pointers. */
function withQuestions(response: Buffer, count: number): Buffer {
  const questionEnd = HEADER + ZONE.length + 2 + 4;
  const questions = Buffer.alloc(6 * count);
  for (let at = 0; at < questions.length; at += 2)
    questions.writeUInt16BE(0xc000 + (at === 0 ? HEADER : questionEnd + at - 2), at);
  const changed = Buffer.concat([response.subarray(0, questionEnd), questions, response.subarray(questionEnd)]);
  changed.writeUInt16BE(1 + count, 4);
  return changed;
}

/** Repeats the answer. Its name is the last of pointers that each lead to the one before, and the first to the question. */
function withPointers(response: Buffer, records: number): Buffer {
  const nameLength = ZONE.length + 2;
  const questionEnd = HEADER + nameLength + 4;
  const pointers = Buffer.alloc(2 * 8_000);
  const head = Buffer.from([0, 0xff, 0, 0, 1, 0, 0, 0, 0, pointers.length >> 8, pointers.length & 0xff]);
  const start = questionEnd + head.length;
  for (let at = 0; at < pointers.length; at += 2)
    pointers.writeUInt16BE(0xc000 + (at === 0 ? HEADER : start + at - 2), at);
  const owner = Buffer.alloc(2);
  owner.writeUInt16BE(0xc000 + start + pointers.length - 2);
  const soa = Buffer.concat([owner, response.subarray(questionEnd + nameLength)]);
  const changed = Buffer.concat([
    response.subarray(0, questionEnd),
    head,
    pointers,
    ...Array.from({ length: records }, () => soa),
  ]);
  changed.writeUInt16BE(1 + records, 6);
  return changed;
}
