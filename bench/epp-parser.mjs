// Nanoseconds per byte to parse EPP frames of different sizes and shapes. The parser is linear if large frames cost as much
// per byte as frames of an eighth of their size.
import { parseXml, XML_LIMITS } from '#dist/infrastructure/registry/epp/codec/parse-xml.js';
import { FrameDecoder, encodeFrame } from '#dist/infrastructure/registry/epp/codec/frames.js';
import { atMost, printLine } from './support/results.mjs';

const AIM = 2;

const LARGE = XML_LIMITS.bytes - 1_024;
const SMALL = Math.floor(LARGE / 8);
const ROUNDS = 9;
const UNLIMITED = { ...XML_LIMITS, nodes: Infinity };

const filled = (head, unit, tail) => (bytes) =>
  head + unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length)) + tail;
const levels = XML_LIMITS.depth - 2;

/** Generators of documents of a given size, each with one kind of content. */
const SHAPES = {
  text: filled('<a>', 'text ', '</a>'),
  entities: filled('<a>', '&amp;', '</a>'),
  CDATA: filled('<a>', '<![CDATA[x]]>', '</a>'),
  comments: filled('<a>', '<!-- x -->', '</a>'),
  elements: filled('<a>', '<b/>', '</a>'),
  'prefixed elements, deep down': filled(
    `<x:a xmlns:x="urn:x">${'<b>'.repeat(levels)}`,
    '<x:b/>',
    `${'</b>'.repeat(levels)}</x:a>`,
  ),
  attributes: (bytes) =>
    `<a ${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `a${String(index).padStart(6, '0')}=""`).join(' ')}/>`,
  namespaces: (bytes) =>
    `<a ${Array.from({ length: Math.floor(bytes / 22) }, (_, index) => `xmlns:a${String(index).padStart(6, '0')}="urn:x"`).join(' ')}/>`,
  'one attribute': filled('<a b="', 'text ', '"/>'),
  'one name': filled('<', 'a', '/>'),
};

export async function run() {
  return [
    ...Object.entries(SHAPES).map(([shape, documentOf]) =>
      measured(
        shape,
        [SMALL, LARGE].map((bytes) =>
          nanosecondsAByte(Buffer.from(documentOf(bytes)), (document) => parseXml(document, UNLIMITED)),
        ),
      ),
    ),
    measured(
      'framing, byte by byte',
      [SMALL, LARGE].map((bytes) => nanosecondsAByte(encodeFrame('x'.repeat(bytes)), byteByByte)),
    ),
  ];
}

function byteByByte(frame) {
  const decoder = new FrameDecoder();
  for (let at = 0; at < frame.length; at += 1) decoder.push(frame.subarray(at, at + 1));
}

function nanosecondsAByte(document, work) {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = process.hrtime.bigint();
    work(document);
    return Number(process.hrtime.bigint() - began) / document.length;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}

/** @type {(what: string, nanosecondsAByte: number[]) => unknown} */
function measured(what, [small, large]) {
  printLine(
    `EPP frames of ${what}: ${small.toFixed(1)} ns a byte in ${Math.round(SMALL / 1_024)} KiB, ${large.toFixed(1)} in ${Math.round(LARGE / 1_024)} KiB | ratio ${(large / small).toFixed(2)}`,
  );
  return atMost(`EPP frames of ${what}: a byte of a large one to a byte of a small one`, large / small, AIM);
}
