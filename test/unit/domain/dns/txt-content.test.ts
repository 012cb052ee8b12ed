import * as fc from 'fast-check';
import { aRecord } from '../../../support/data/a-record';
import { seeded } from '../../../support/seeded';
import { thrownBy } from '../../../support/thrown-by';

function txt(content: string): { content: string; rdata: string } {
  const record = aRecord({ type: 'TXT', content });
  return { content: record.toState().content, rdata: record.rdata() };
}

describe('TXT content', () => {
  it.each([
    ['plain text', 'v=spf1 -all', 'v=spf1 -all', '"v=spf1 -all"'],
    ['quotes within plain text', 'say "hi"', 'say "hi"', String.raw`"say \"hi\""`],
    ['backslashes of plain text as they stand', String.raw`a\b\;c`, String.raw`a\b\;c`, String.raw`"a\\b\\;c"`],
    ['blanks at either end', ' a ', ' a ', '" a "'],
    ['one quoted string as plain text', '"a b"', 'a b', '"a b"'],
    ['needless escapes as what they stand for', String.raw`"a\;\098"`, 'a;b', '"a;b"'],
    ['the boundaries of strings', '"txtvers=1""path=/"', '"txtvers=1" "path=/"', '"txtvers=1" "path=/"'],
    ['blanks between strings', '"a"   "b"  ', '"a" "b"', '"a" "b"'],
    ['an empty string', '""', '""', '""'],
    ['empty strings beside others', '"" "a"', '"" "a"', '"" "a"'],
    ['text that starts with a quote', String.raw`"\"a"`, String.raw`"\"a"`, String.raw`"\"a"`],
    ['octets that are no text', String.raw`"\000\255"`, String.raw`"\000\255"`, String.raw`"\000\255"`],
    ['UTF-8', 'grün', 'grün', String.raw`"gr\195\188n"`],
    ['octets that are UTF-8', String.raw`"gr\195\188n"`, 'grün', String.raw`"gr\195\188n"`],
    ['half a character', String.raw`"gr\195"`, String.raw`"gr\195"`, String.raw`"gr\195"`],
    ['a byte order mark', '\ufeffa', '\ufeffa', String.raw`"\239\187\191a"`],
    ['an escaped control character', String.raw`"a\009"`, String.raw`"a\009"`, String.raw`"a\009"`],
  ])('keeps %s', (_what, given, content, rdata) => {
    expect(txt(given)).toEqual({ content, rdata });
    expect(txt(content)).toEqual({ content, rdata });
  });

  it('cuts text at 255 octets, not characters', () => {
    const text = `${'a'.repeat(254)}üb`;

    const { content, rdata } = txt(text);

    expect(content).toBe(text);
    expect(rdata).toBe(String.raw`"${'a'.repeat(254)}\195" "\188b"`);
  });

  it('returns strings that are split at 255 octets as plain text, in whatever form they were sent', () => {
    const text = 'x'.repeat(600);
    const ways = [text, `"${text}"`, `"${'x'.repeat(255)}" "${'x'.repeat(255)}" "${'x'.repeat(90)}"`];

    expect(new Set(ways.map((way) => txt(way).content))).toEqual(new Set([text]));
  });

  it('accepts 4096 octets in any form', () => {
    expect(txt('x'.repeat(4096)).content).toHaveLength(4096);
    expect(txt(String.raw`"\255" `.repeat(4096)).content).toHaveLength(7 * 4096 - 1);
  });

  it.each([
    ['nothing', ''],
    ['a string without end', '"a'],
    ['text beside strings', '"a" b'],
    ['text that touches a string', '"a"b'],
    ['an escape above 255', String.raw`"\256"`],
    ['an escape of two digits', String.raw`"\25"`],
    ['an escape of nothing', '"a\\'],
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
    ['NUL', '\u0000'],
    ['DEL', '\u007f'],
    ['an escaped line break', '"a\\\nb"'],
    ['half a surrogate pair', 'a\ud800'],
    ['4097 octets', 'x'.repeat(4097)],
    ['4096 characters of more octets', `${'x'.repeat(4095)}ü`],
    ['4097 empty strings', '"" '.repeat(4097)],
    ['300 kB of quotes', '"'.repeat(300_000)],
    ['300 kB of backslashes', `"${'\\'.repeat(300_000)}`],
  ])('refuses %s', (_what, content) => {
    expect(thrownBy(() => txt(content))?.code).toBe('INVALID_RECORD_CONTENT');
  });

  it('publishes the octets of any strings, and reads its own answer back as the same', () => {
    const octets = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => [...bytes]),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => [...Buffer.from(text)]),
    );

    fc.assert(
      fc.property(fc.array(octets, { minLength: 1, maxLength: 4 }), (strings) => {
        const { content, rdata } = txt(strings.map(escapedThroughout).join(' '));

        expect(readStrings(rdata)).toEqual(strings.flatMap(cutAt255));
        expect(txt(content)).toEqual({ content, rdata });
      }),
      seeded(),
    );
  });

  it('publishes the UTF-8 of any text that it takes as it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }), (text) => {
        fc.pre(!text.startsWith('"'));

        const { content, rdata } = txt(text);

        expect(content).toBe(text);
        expect(readStrings(rdata).flat()).toEqual([...Buffer.from(text)]);
      }),
      seeded(),
    );
  });
});

function escapedThroughout(octets: readonly number[]): string {
  return `"${octets.map((octet) => `\\${String(octet).padStart(3, '0')}`).join('')}"`;
}

function cutAt255(octets: readonly number[]): number[][] {
  const count = Math.max(1, Math.ceil(octets.length / 255));
  return Array.from({ length: count }, (_, index) => octets.slice(255 * index, 255 * (index + 1)));
}

/** An independent parser, octet by octet, to check the code under test. */
function readStrings(rdata: string): number[][] {
  const strings: number[][] = [];
  let current: number[] | undefined;
  for (let at = 0; at < rdata.length; at += 1) {
    const character = rdata[at]!;
    if (character === '"') {
      if (current === undefined) strings.push((current = []));
      else current = undefined;
    } else if (character === '\\' && /\d/.test(rdata[at + 1]!)) {
      current!.push(Number(rdata.slice(at + 1, at + 4)));
      at += 3;
    } else if (character === '\\') {
      current!.push(rdata.charCodeAt(at + 1));
      at += 1;
    } else if (current !== undefined) {
      current.push(character.charCodeAt(0));
    }
  }
  return strings;
}
