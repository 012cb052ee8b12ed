/** Characters that control a terminal or reverse its text. JSON already escapes U+0000 to U+001F. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The text in one line, without what could control a terminal. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}

/** The same JSON, with what could control a terminal as escapes. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, escapeCharacter);
}

/** Keeps the line breaks of formatted JSON. */
function escapeCharacter(character: string): string {
  if (character === '\n') return character;
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}
