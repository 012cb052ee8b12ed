/** Names of keys and accounts, texts of registries: without line breaks, and without characters that set the direction of text. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
