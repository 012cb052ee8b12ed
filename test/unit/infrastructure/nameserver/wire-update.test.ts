import { array, assert, constant, nat, oneof, property, tuple } from 'fast-check';
import { MalformedMessage, readQuery, type WireQuery } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { readUpdate } from '../../../../src/infrastructure/nameserver/wire/wire-update';
import { seeded } from '../../../support/seeded';

const [IN, NONE, ANY] = [1, 254, 255];
const [A, NS, SOA, TXT, AXFR] = [1, 2, 6, 16, 252];

const label = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const name = (...labels: readonly string[]): Buffer => Buffer.concat([...labels.map(label), Buffer.from([0])]);
const ZONE = ['example', 'com'];

interface Rr {
  readonly owner: Buffer;
  readonly type: number;
  readonly class: number;
  readonly ttl?: number;
  readonly data?: Buffer;
}

function rr({ owner, type, class: rrClass, ttl = 0, data = Buffer.alloc(0) }: Rr): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(rrClass, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

function message(updates: readonly Rr[], prerequisites: readonly Rr[] = []): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(5 << 11, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(prerequisites.length, 6);
  header.writeUInt16BE(updates.length, 8);
  const zone = Buffer.concat([name(...ZONE), Buffer.from([0, SOA, 0, IN])]);
  return Buffer.concat([header, zone, ...prerequisites.map(rr), ...updates.map(rr)]);
}

const read = (bytes: Buffer) => readUpdate(readQuery(bytes) as WireQuery);
const readOne = (update: Rr) => read(message([update])).changes[0];
const ADDRESS = Buffer.from([192, 0, 2, 1]);

describe('an UPDATE message', () => {
  it('has records of every type that can be switched on, with the content that the API has', () => {
    const tlsa = Buffer.concat([Buffer.from([3, 1, 1]), Buffer.alloc(32, 0xab)]);
    const changes = [
      { type: 52, data: tlsa },
      { type: 65, data: Buffer.from('000100000100030268 32'.replace(' ', ''), 'hex') },
      { type: 65_280, data: Buffer.from([1, 255]) },
      { type: 46, data: Buffer.from([1]) },
    ];

    expect(
      changes.map(({ type, data }) => readOne({ owner: name('www', ...ZONE), type, class: IN, ttl: 60, data })),
    ).toMatchObject([
      { type: 'TLSA', record: { type: 'TLSA', content: `3 1 1 ${'ab'.repeat(32)}` } },
      { type: 'HTTPS', record: { type: 'HTTPS', content: '1 . alpn="h2"' } },
      { type: 'TYPE65280', record: { type: 'TYPE65280', content: '\\# 2 01ff' } },
      { type: 'TYPE46', record: undefined },
    ]);
    const malformed = { owner: name('www', ...ZONE), type: 65, class: IN, data: Buffer.from([0, 1]) };
    expect(read(message([malformed])).invalid?.outcome).toBe('FORMERR');
  });

  it('is read into the changes that RFC 2136 defines', () => {
    const owner = name('www', ...ZONE);

    expect(
      read(
        message([
          { owner, type: A, class: IN, ttl: 300, data: ADDRESS },
          { owner, type: A, class: NONE, data: ADDRESS },
          { owner, type: A, class: ANY },
          { owner: name(...ZONE), type: ANY, class: ANY },
        ]),
      ).changes,
    ).toEqual([
      {
        kind: 'add',
        name: 'www',
        type: 'A',
        record: { type: 'A', name: 'www.example.com.', ttl: 300, content: '192.0.2.1' },
      },
      {
        kind: 'delete_record',
        name: 'www',
        type: 'A',
        record: { type: 'A', name: 'www.example.com.', ttl: 0, content: '192.0.2.1' },
      },
      { kind: 'delete_set', name: 'www', type: 'A' },
      { kind: 'delete_name', name: '@' },
    ]);
  });

  it.each([
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 0],
    [2 ** 32 - 1, 0],
  ])('reads a TTL of %i as %i (RFC 2181, section 8)', (ttl, expected) => {
    expect(readOne({ owner: name('www', ...ZONE), type: A, class: IN, ttl, data: ADDRESS })).toMatchObject({
      record: { ttl: expected },
    });
  });

  it.each<[string, Rr]>([
    ['a dot', { owner: name('www.example.com'), type: A, class: ANY }],
    ['a dot below the zone', { owner: name('a.b', ...ZONE), type: A, class: ANY }],
    ['an @', { owner: name('@', ...ZONE), type: A, class: ANY }],
    ['a backslash', { owner: name('a\\', ...ZONE), type: A, class: ANY }],
    ['an octet that is not ASCII', { owner: name('b\u00fccher', ...ZONE), type: A, class: ANY }],
    ['a space', { owner: name('a b', ...ZONE), type: A, class: ANY }],
  ])('does not take a label with %s for another name', (_title, update) => {
    expect(['@', 'a.b', 'www', 'xn--bcher-kva', 'a b', 'b\u00fccher']).not.toContain(readOne(update)?.name);
  });

  it('keeps every octet of a character-string', () => {
    const text = Buffer.from('a"b\\c\u0000\u00ff', 'latin1');
    const data = Buffer.concat([Buffer.from([text.length]), text, Buffer.from([0])]);

    expect(readOne({ owner: name('t', ...ZONE), type: TXT, class: IN, ttl: 60, data })).toMatchObject({
      record: { content: String.raw`"a\"b\\c\000\255" ""` },
    });
  });

  it.each<[string, Buffer]>([
    ['a deletion with a TTL', message([{ owner: name(...ZONE), type: A, class: ANY, ttl: 1 }])],
    ['a deletion of a set with data', message([{ owner: name(...ZONE), type: A, class: ANY, data: ADDRESS }])],
    ['an added record of type ANY', message([{ owner: name(...ZONE), type: ANY, class: IN }])],
    ['an added record of type AXFR', message([{ owner: name(...ZONE), type: AXFR, class: IN }])],
    ['an unknown class', message([{ owner: name(...ZONE), type: A, class: 3, data: ADDRESS }])],
    ['an address of three octets', message([{ owner: name(...ZONE), type: A, class: IN, data: ADDRESS.subarray(1) }])],
    [
      'an address of five octets',
      message([{ owner: name(...ZONE), type: A, class: IN, data: Buffer.concat([ADDRESS, Buffer.alloc(1)]) }]),
    ],
    ['a name that ends beyond its record', message([{ owner: name(...ZONE), type: NS, class: IN, data: label('a') }])],
    ['a text without strings', message([{ owner: name(...ZONE), type: TXT, class: IN }])],
    ['a prerequisite with a TTL', message([], [{ owner: name(...ZONE), type: A, class: ANY, ttl: 1 }])],
    ['a prerequisite of an unknown class', message([], [{ owner: name(...ZONE), type: A, class: 3 }])],
  ])('is malformed with %s', (_title, bytes) => {
    expect(read(bytes).invalid?.outcome).toBe('FORMERR');
  });

  it('is read up to its first invalid record, in the order of RFC 2136, section 3', () => {
    const [inside, outside] = [name('www', ...ZONE), name('www', 'example', 'net')];
    const valid = { owner: inside, type: A, class: ANY };

    expect(read(message([valid, { ...valid, owner: outside }, { ...valid, ttl: 1 }], [valid]))).toMatchObject({
      prerequisites: [{ kind: 'set_exists' }],
      changes: [{ kind: 'delete_set' }],
      invalid: { section: 'changes', outcome: 'NOTZONE' },
    });
    expect(read(message([valid], [valid, { ...valid, ttl: 1 }, { ...valid, owner: outside }]))).toMatchObject({
      prerequisites: [{ kind: 'set_exists' }],
      changes: [],
      invalid: { section: 'prerequisites', outcome: 'FORMERR' },
    });
  });

  it('has as many records as fit in it', () => {
    const update = { owner: name('a', ...ZONE), type: A, class: ANY };
    const octets = 65_535 - message([]).length;

    const count = Math.floor(octets / (message([update]).length - message([]).length));
    expect(read(message(Array.from({ length: count }, () => update))).changes).toHaveLength(count);
  });

  it('throws nothing but its own errors, whatever is damaged', () => {
    const owner = name('www', ...ZONE);
    const intact = message(
      [
        { owner, type: A, class: IN, ttl: 300, data: ADDRESS },
        { owner, type: TXT, class: IN, ttl: 300, data: label('text') },
        { owner, type: NS, class: NONE, data: name('ns', 'example', 'net') },
        { owner, type: A, class: ANY },
      ],
      [{ owner, type: A, class: NONE }],
    );
    const damage = array(tuple(nat(intact.length - 1), nat(255)), { maxLength: 4 });
    const length = oneof(constant(intact.length), nat(intact.length));
    let readable = 0;

    assert(
      property(damage, length, (octets, end) => {
        const damaged = Buffer.from(intact);
        for (const [at, octet] of octets) damaged[at] = octet;
        try {
          const query = readQuery(damaged.subarray(0, end));
          if (query) readUpdate(query);
          readable += 1;
        } catch (error) {
          if (!(error instanceof MalformedMessage)) throw error;
        }
      }),
      seeded(20_000),
    );
    expect(readable).toBeGreaterThan(0);
  });
});
