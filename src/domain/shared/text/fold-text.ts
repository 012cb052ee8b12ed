/** Of the ASCII characters that are not control characters. */
export const PLAIN_TEXT = /^[ -~]*$/;

/**
 * For comparisons that ignore case and form: Unicode's case folding of the compatible form (NFKC), so that `SS` is `ß`,
 * on every database.
 */
export function foldText(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase();
  // By way of upper case: some letters have several small forms, and some become two letters. ẞ has an upper case only as ß.
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll('ς', 'σ').normalize('NFKC');
}
