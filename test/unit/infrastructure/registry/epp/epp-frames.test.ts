import { array, assert, integer, property, string } from 'fast-check';
import { encodeFrame, FrameDecoder } from '../../../../../src/infrastructure/registry/epp/codec/frames';
import { seeded } from '../../../../support/seeded';

const header = (length: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};

describe('EPP frames (RFC 5734)', () => {
  it('begin with a length in bytes that includes itself', () => {
    expect(encodeFrame('é')).toEqual(Buffer.from([0, 0, 0, 6, 0xc3, 0xa9]));
  });

  it('are decoded from a stream cut at every byte', () => {
    const stream = Buffer.concat(['<a/>', '<ö/>'].map((document) => encodeFrame(document)));

    for (let cut = 0; cut <= stream.length; cut += 1) {
      const decoder = new FrameDecoder();
      const documents = [...decoder.push(stream.subarray(0, cut)), ...decoder.push(stream.subarray(cut))];
      expect(documents.map(String)).toEqual(['<a/>', '<ö/>']);
    }
  });

  it('are decoded from a stream in random segments', () => {
    const frames = array(string({ unit: 'grapheme', minLength: 1, maxLength: 9_000 }), { maxLength: 4 });
    assert(
      property(frames, array(integer({ min: 1, max: 5_000 }), { minLength: 1 }), (documents, sizes) => {
        const stream = Buffer.concat(documents.map((document) => encodeFrame(document)));
        const decoder = new FrameDecoder();
        const decoded: string[] = [];
        for (let position = 0, turn = 0; position < stream.length; turn += 1) {
          const end = position + sizes[turn % sizes.length]!;
          decoded.push(...decoder.push(stream.subarray(position, end)).map(String));
          position = end;
        }
        expect(decoded).toEqual(documents);
      }),
      seeded(200),
    );
  });

  it('are decoded into copies, not views of the received buffer', () => {
    const stream = encodeFrame('<a/>');
    const [document] = new FrameDecoder().push(stream);

    stream.fill(0);

    expect(String(document)).toBe('<a/>');
  });

  it('are rejected by an invalid announced length before the body arrives', () => {
    expect(() => new FrameDecoder(100).push(header(105))).toThrow('a frame of 101 bytes is above the limit of 100');
    expect(() => new FrameDecoder().push(header(0xffffffff))).toThrow('above the limit of 1048576');
    expect(() => new FrameDecoder().push(header(4))).toThrow('an empty frame');
    expect(() => new FrameDecoder().push(header(0))).toThrow('an empty frame');
    expect(() => encodeFrame('x'.repeat(101), 100)).toThrow('above the limit of 100');
  });
});
