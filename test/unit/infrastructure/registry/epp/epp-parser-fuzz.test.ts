import { array, assert, constantFrom, integer, nat, oneof, property, string, uint8Array } from 'fast-check';
import { encodeFrame, FrameDecoder } from '../../../../../src/infrastructure/registry/epp/codec/frames';
import { parseXml } from '../../../../../src/infrastructure/registry/epp/codec/parse-xml';
import { XmlError } from '../../../../../src/infrastructure/registry/epp/codec/xml-error';
import type { XmlElement } from '../../../../../src/infrastructure/registry/epp/codec/xml-element';
import { recordedExchanges } from '../../../../support/epp/epp-fixtures';
import { seeded } from '../../../../support/seeded';

const DOCUMENTS = recordedExchanges().flatMap(({ command, response }) => [command, response]);
const HOSTILE = [
  '<!DOCTYPE a [<!ENTITY e "e">]>',
  '&e;',
  '&#0;',
  '&#x110000;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '<?xml',
  '<a ',
  'xmlns=""',
  'xmlns:domain="urn:other"',
  '\u0000',
  '</epp>',
  '<epp>'.repeat(80),
];

/** Returns a tree within the limits, or throws an XmlError. */
function read(bytes: Uint8Array): XmlElement | XmlError {
  try {
    return parseXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) return error;
    throw error;
  }
}

describe('the XML parser with random input', () => {
  it('returns a tree or throws an XmlError for random bytes', () => {
    assert(
      property(uint8Array({ maxLength: 400 }), (bytes) => {
        expect(read(bytes)).toBeDefined();
      }),
      seeded(1_000),
    );
  });

  it('returns a tree or throws an XmlError for random markup', () => {
    const token = oneof(
      constantFrom(
        ...HOSTILE,
        '<',
        '>',
        '/',
        '"',
        "'",
        '=',
        ' ',
        'a',
        'x:',
        '<a>',
        '</a>',
        '<a/>',
        '<x:a xmlns:x="x"/>',
      ),
      string({ maxLength: 3 }),
    );
    assert(
      property(array(token, { maxLength: 60 }), (tokens) => {
        expect(read(Buffer.from(tokens.join('')))).toBeDefined();
      }),
      seeded(2_000),
    );
  });

  it('returns a tree or throws an XmlError for mutated recorded frames', () => {
    const edit = [
      nat(),
      nat({ max: 40 }),
      oneof(
        uint8Array({ maxLength: 4 }),
        constantFrom(...HOSTILE).map((text) => new Uint8Array(Buffer.from(text))),
      ),
    ] as const;
    assert(
      property(
        constantFrom(...DOCUMENTS),
        array(integer({ min: 0, max: 1 }), { maxLength: 3 }),
        ...edit,
        (document, again, at, removed, inserted) => {
          let bytes: Buffer = document;
          for (const round of [0, ...again]) {
            const position = (at + round * 7) % bytes.length;
            bytes = Buffer.concat([bytes.subarray(0, position), inserted, bytes.subarray(position + removed)]);
          }
          expect(read(bytes)).toBeDefined();
        },
      ),
      seeded(2_000),
    );
  });

  it('rejects every truncated recorded frame', () => {
    const accepted: string[] = [];
    for (const document of DOCUMENTS.slice(0, 4)) {
      const end = document.lastIndexOf('>');
      for (let length = 0; length < end; length += 1)
        if (!(read(document.subarray(0, length)) instanceof XmlError))
          accepted.push(`${length} octets of ${document.toString()}`);
    }
    expect(accepted).toEqual([]);
  });
});

describe('frame decoder and XML parser together', () => {
  it('read recorded frames byte by byte', () => {
    const decoder = new FrameDecoder();
    const decoded: Buffer[] = [];

    for (const byte of Buffer.concat(DOCUMENTS.map((document) => encodeFrame(document.toString()))))
      decoded.push(...decoder.push(Uint8Array.of(byte)));

    expect(decoded.map((document) => parseXml(document))).toEqual(DOCUMENTS.map((document) => parseXml(document)));
  });

  it('return frames or throw a FrameError for random streams', () => {
    assert(
      property(array(uint8Array({ maxLength: 50 }), { maxLength: 20 }), (chunks) => {
        const decoder = new FrameDecoder(100);
        try {
          for (const chunk of chunks)
            for (const document of decoder.push(chunk)) expect(document.length).toBeLessThanOrEqual(100);
        } catch (error) {
          expect(error).toMatchObject({ name: 'FrameError' });
        }
      }),
      seeded(1_000),
    );
  });
});
