/** Longer text, such as a DKIM key, is collapsed. */
const MAX_LENGTH = 160;
/** Of a text that shares one line with others. */
export const MAX_IN_LINE = 56;
/** For the words that tell of the rest. */
const ROOM = 12;

export function isFolded(text: string, max = MAX_LENGTH): boolean {
  return text.length > max;
}

export function excerptOf(text: string, max = MAX_LENGTH): string {
  return isFolded(text, max) ? `${text.slice(0, max - ROOM)}…` : text;
}

/** The content of a record, or a line with it. */
export function FoldedText({ text, max = MAX_LENGTH }: { readonly text: string; readonly max?: number }) {
  if (!isFolded(text, max)) return <code>{text}</code>;
  return (
    <details class="truncated">
      <summary>
        <code>{excerptOf(text, max)}</code>{' '}
        <span class="small">show all {text.length.toLocaleString('en')} characters</span>
      </summary>
      <code>{text}</code>
    </details>
  );
}
