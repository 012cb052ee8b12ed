/** Characters that control a terminal or reverse its text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Foreign text, such as the content of a record, in one line and with such characters as `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for text of several lines, such as a zone file. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');
}

/** JSON with such characters as escapes; `JSON.stringify` leaves most of them. */
export function printableJson(value: unknown, indentation?: number): string {
  return JSON.stringify(value, null, indentation).replace(/[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
