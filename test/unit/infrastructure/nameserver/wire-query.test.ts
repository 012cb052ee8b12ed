import * as fc from 'fast-check';
import type { TsigKey } from '../../../../src/domain/dns/secondaries/tsig-key';
import { MalformedMessage, readQuery, type WireQuery } from '../../../../src/infrastructure/nameserver/wire/wire-query';
import { readUpdate } from '../../../../src/infrastructure/nameserver/wire/wire-update';
import { requestFor, signRequest } from '../../../support/nameservers/primary-client';
import { seeded } from '../../../support/seeded';

const KEY: TsigKey = { name: 'ns1', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };

describe('the DNS request parser', () => {
  it('returns the question in lower case', () => {
    expect(readQuery(requestFor({ type: 'SOA', name: 'EXAMPLE.Com' }))).toMatchObject({
      id: 4_711,
      opcode: 0,
      name: 'example.com',
      type: 6,
      class: 1,
      serial: undefined,
      udpSize: undefined,
      tsig: undefined,
    });
  });

  it('returns the serial of an IXFR', () => {
    expect(readQuery(requestFor({ type: 'IXFR', name: 'example.com', serial: 4_294_967_295 }))).toMatchObject({
      type: 251,
      serial: 4_294_967_295,
    });
  });

  it('ignores responses and messages shorter than a header', () => {
    expect(readQuery(requestFor({ type: 'SOA', name: 'example.com' }, { type: 'response' }))).toBeUndefined();
    expect(readQuery(Buffer.alloc(11))).toBeUndefined();
  });

  it.each([
    ['no question', requestFor({ type: 'SOA', name: 'a' }, { questions: [] })],
    [
      'two questions',
      requestFor(
        { type: 'SOA', name: 'a' },
        {
          questions: [
            { type: 'SOA', name: 'a' },
            { type: 'SOA', name: 'b' },
          ],
        },
      ),
    ],
    [
      'a TSIG record outside the additional section',
      withLastAsAuthority(signRequest(requestFor({ type: 'SOA', name: 'a' }), KEY)),
    ],
    ['octets after the last record', Buffer.concat([requestFor({ type: 'SOA', name: 'a' }), Buffer.from([0])])],
    ['a compression pointer to itself', Buffer.from('000000000001000000000000c00c00060001', 'hex')],
    ['a forward compression pointer', Buffer.from('000000000001000000000000c0120006000100', 'hex')],
    ['a reserved label type', Buffer.from('000000000001000000000000400006000100', 'hex')],
    [
      'more than eight records',
      requestFor(
        { type: 'SOA', name: 'a' },
        { answers: Array.from({ length: 9 }, () => ({ type: 'A' as const, name: 'a', data: '192.0.2.1' })) },
      ),
    ],
  ])('rejects a request with %s', (_title, bytes) => {
    expect(() => readQuery(bytes)).toThrow(MalformedMessage);
  });

  it('does not read the names of the records of an UPDATE, because that is costly and its sender is not authenticated yet', () => {
    const header = Buffer.from('000128000001000000000000', 'hex');
    const zone = Buffer.from('0000060001', 'hex');
    // Its name is a compression pointer to itself.
    const records = Array.from({ length: 5_000 }, (_, index) => {
      const record = Buffer.from('c000000100ff000000000000', 'hex');
      record.writeUInt16BE(0xc000 + Math.min(0x3fff, header.length + zone.length + index * record.length), 0);
      return record;
    });
    header.writeUInt16BE(records.length, 8);

    const query = readQuery(Buffer.concat([header, zone, ...records])) as WireQuery;

    expect(query).toMatchObject({ opcode: 5, name: '', type: 6 });
    expect(readUpdate(query).invalid?.outcome).toBe('FORMERR');
  });

  it('throws nothing but MalformedMessage for any octets', () => {
    const valid = requestFor({ type: 'IXFR', name: 'some.example.com', serial: 7 });
    const mutated = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 6 }).map((changes) => {
      const bytes = Buffer.from(valid);
      for (const [at, octet] of changes) bytes[at] = octet;
      return bytes;
    });
    const anything = fc.uint8Array({ maxLength: 600 }).map((octets) => Buffer.from(octets));

    fc.assert(
      fc.property(fc.oneof(mutated, anything), (bytes) => {
        try {
          readQuery(bytes);
        } catch (error) {
          if (!(error instanceof MalformedMessage)) throw error;
        }
      }),
      seeded(5_000),
    );
  });
});

/** The one additional record of a request becomes one of the authority section. */
function withLastAsAuthority(request: Buffer): Buffer {
  request.writeUInt32BE(0x0001_0000, 8);
  return request;
}
