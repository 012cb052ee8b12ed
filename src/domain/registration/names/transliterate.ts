/** Letters without a Unicode decomposition, transliterated like in passports (ICAO 9303). */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'oe',
  Ø: 'OE',
  œ: 'oe',
  Œ: 'OE',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '’': "'",
  '–': '-',
};

/** The text in ASCII as far as possible: letters of other alphabets than the Latin one stay. It can be longer than before. */
export function transliterate(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters.replace(/\P{ASCII}/gu, (letter) => TRANSLITERATIONS[letter] ?? letter);
}
