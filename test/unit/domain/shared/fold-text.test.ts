import { foldText } from '../../../../src/domain/shared/text/fold-text';

describe('the folded form of a text', () => {
  it.each([
    ['Web SERVER 5', 'web server 5'],
    ['STRASSE', 'straße', 'Straẞe'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['GRÜN', 'grün', 'gru\u0308n', 'GRU\u0308N'],
    ['ＡＢＣ', 'abc'],
    ['ﬁle', 'FILE'],
    ['\u212A', 'k'],
    ['ſ', 's'],
    ['\u{10400}', '\u{10428}'],
  ])('is the same in every case and form: %j', (...texts) => {
    expect(new Set(texts.map(foldText)).size).toBe(1);
  });

  it.each([
    ['u', 'ü'],
    ['о', 'o'],
    ['e', 'é'],
  ])('is another for another letter: %j and %j', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('does not change when it is folded again', () => {
    for (let code = 1; code < 0x1_04_80; code += 1) {
      if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
      const folded = foldText(String.fromCodePoint(code));
      expect([code, foldText(folded)]).toEqual([code, folded]);
    }
  });
});
