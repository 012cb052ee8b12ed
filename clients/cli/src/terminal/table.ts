import { printable } from './printable.ts';

const GAP = '  ';
/** Characters that take two columns: East Asian and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Lines with aligned columns, below a line of headings. Cells may be foreign text. */
export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))));
  return cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(/\p{M}/gu, '')) width += WIDE.test(character) ? 2 : 1;
  return width;
}
