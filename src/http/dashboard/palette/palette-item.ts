/** In the order of the search page. */
export const PALETTE_KINDS = ['Domain', 'Record', 'Tag', 'Person', 'API key', 'Page', 'Action'] as const;

export interface PaletteItem {
  readonly label: string;
  readonly kind: (typeof PALETTE_KINDS)[number];
  readonly url: string;
}

/** Whether every typed word begins a word of the label. */
export function matchesWords(label: string, words: readonly string[]): boolean {
  const parts = label.toLowerCase().split(' ');
  return words.every((word) => parts.some((part) => part.startsWith(word.toLowerCase())));
}
